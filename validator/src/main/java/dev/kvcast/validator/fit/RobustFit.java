package dev.kvcast.validator.fit;

import java.util.function.Function;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * The most probable shifts of coefficients, given measurements with now and then a bad one: normal priors around zero, and
 * residuals with the heavy tails of Student's t, so that one cell far off cannot drag the others along. Levenberg-Marquardt
 * on the reweighted problem.
 *
 * @param shifts shifts of the coefficients
 * @param covariance their covariance
 * @param weights how much each measurement counted, from near 0 for an outlier to about 1
 */
record RobustFit(double[] shifts, RealMatrix covariance, double[] weights) {

    /** Degrees of freedom of the residuals: a cell six deviations off counts a fifth. */
    private static final double FREEDOM = 4;

    private static final double STEP = 1e-4;
    private static final double CONVERGED = 1e-6;
    private static final int MOST_STEPS = 60;
    private static final double MOST_DAMPING = 1e6;

    /**
     * Fits.
     *
     * @param residuals measurement by measurement, in standard deviations, for given shifts
     * @param priors standard deviation of each shift
     */
    static RobustFit of(Function<double[], double[]> residuals, double[] priors) {
        double[] shifts = new double[priors.length];
        double damping = 1e-2;
        for (int i = 0; i < MOST_STEPS; i++) {
            Normal normal = Normal.at(residuals, priors, shifts);
            double cost = cost(residuals, priors, shifts);
            double[] step = normal.step(damping);
            double[] next = sum(shifts, step);
            while (!(cost(residuals, priors, next) < cost) && damping < MOST_DAMPING) {
                damping *= 4;
                step = normal.step(damping);
                next = sum(shifts, step);
            }
            if (damping >= MOST_DAMPING) {
                break;
            }
            shifts = next;
            damping = Math.max(damping / 5, 1e-6);
            if (new ArrayRealVector(step, false).getLInfNorm() < CONVERGED) {
                break;
            }
        }
        Normal normal = Normal.at(residuals, priors, shifts);
        RealMatrix covariance =
                new CholeskyDecomposition(normal.matrix()).getSolver().getInverse();
        return new RobustFit(shifts, covariance, normal.weights());
    }

    private static double cost(Function<double[], double[]> residuals, double[] priors, double[] shifts) {
        double sum = 0;
        for (double residual : residuals.apply(shifts)) {
            sum += (FREEDOM + 1) / 2 * Math.log1p(residual * residual / FREEDOM);
        }
        for (int i = 0; i < priors.length; i++) {
            sum += square(shifts[i] / priors[i]) / 2;
        }
        return sum;
    }

    private static double square(double value) {
        return value * value;
    }

    private static double[] sum(double[] one, double[] other) {
        return new ArrayRealVector(one, false)
                .add(new ArrayRealVector(other, false))
                .toArray();
    }

    /**
     * The linear problem at some shifts.
     *
     * @param matrix curvature of the cost, prior included
     * @param gradient of the cost
     * @param weights of the measurements
     */
    private record Normal(RealMatrix matrix, double[] gradient, double[] weights) {

        static Normal at(Function<double[], double[]> residuals, double[] priors, double[] shifts) {
            double[] here = residuals.apply(shifts);
            double[] weights = new double[here.length];
            for (int i = 0; i < here.length; i++) {
                weights[i] = (FREEDOM + 1) / (FREEDOM + here[i] * here[i]);
            }
            RealMatrix slopes = new Array2DRowRealMatrix(here.length, priors.length);
            for (int j = 0; j < priors.length; j++) {
                double[] moved = shifts.clone();
                moved[j] += STEP;
                double[] there = residuals.apply(moved);
                for (int i = 0; i < here.length; i++) {
                    slopes.setEntry(i, j, (there[i] - here[i]) / STEP);
                }
            }
            return assemble(slopes, here, weights, priors, shifts);
        }

        private static Normal assemble(
                RealMatrix slopes, double[] here, double[] weights, double[] priors, double[] shifts) {
            RealMatrix weighted = slopes.copy();
            double[] pull = new double[here.length];
            for (int i = 0; i < here.length; i++) {
                pull[i] = weights[i] * here[i];
                for (int j = 0; j < priors.length; j++) {
                    weighted.multiplyEntry(i, j, weights[i]);
                }
            }
            RealMatrix matrix = slopes.transpose().multiply(weighted);
            double[] gradient = slopes.preMultiply(pull);
            for (int j = 0; j < priors.length; j++) {
                double precision = 1 / square(priors[j]);
                matrix.addToEntry(j, j, precision);
                gradient[j] += shifts[j] * precision;
            }
            return new Normal(matrix, gradient, weights);
        }

        double[] step(double damping) {
            RealMatrix damped = matrix.copy();
            for (int j = 0; j < gradient.length; j++) {
                damped.multiplyEntry(j, j, 1 + damping);
            }
            return new CholeskyDecomposition(damped)
                    .getSolver()
                    .solve(new ArrayRealVector(gradient, false))
                    .mapMultiply(-1)
                    .toArray();
        }
    }
}
