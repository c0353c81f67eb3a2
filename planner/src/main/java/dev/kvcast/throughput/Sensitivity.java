package dev.kvcast.throughput;

import java.util.ArrayList;
import java.util.List;

/**
 * Carries the covariance of the coefficients over to a predicted time. Gradients are differences at steps with one
 * coefficient moved; coefficients that a deployment does not use are found once and left out.
 */
final class Sensitivity {

    private static final double STEP = 1e-3;

    private final List<StepTime> moved = new ArrayList<>();
    private final double[][] spread;
    private final StepTime best;

    /**
     * The sensitivity of a deployment's times.
     *
     * @param probes steps that between them use every coefficient that the deployment's steps can use
     */
    Sensitivity(DeploymentWork work, Coefficients coefficients, StepForm form, List<StepContent> probes) {
        double[][] covariance = coefficients.covarianceMatrix();
        double[] x = coefficients.estimates();
        CoefficientValues values = CoefficientValues.of(x);
        best = new StepTime(work, values, form);
        List<Integer> indices = new ArrayList<>();
        for (Coefficient coefficient : Coefficient.values()) {
            int index = coefficient.index();
            StepTime other = new StepTime(work, values.with(coefficient, x[index] + STEP), form);
            if (covariance[index][index] > 0 && probes.stream().anyMatch(p -> best.seconds(p) != other.seconds(p))) {
                moved.add(other);
                indices.add(index);
            }
        }
        spread = new double[indices.size()][indices.size()];
        for (int i = 0; i < spread.length; i++) {
            for (int j = 0; j < spread.length; j++) {
                spread[i][j] = covariance[indices.get(i)][indices.get(j)];
            }
        }
    }

    /** The best estimate. */
    StepTime best() {
        return best;
    }

    /** Standard deviation of the logarithm of a time. */
    double deviation(TimedSteps time) {
        double middle = time.seconds(best);
        double[] gradient = gradient(time, middle);
        double variance = 0;
        for (int i = 0; i < gradient.length; i++) {
            for (int j = 0; j < gradient.length; j++) {
                variance += gradient[i] * spread[i][j] * gradient[j];
            }
        }
        return Math.sqrt(Math.max(0, variance));
    }

    private double[] gradient(TimedSteps time, double middle) {
        double[] gradient = new double[moved.size()];
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] = (time.seconds(moved.get(i)) / middle - 1) / STEP;
        }
        return gradient;
    }
}
