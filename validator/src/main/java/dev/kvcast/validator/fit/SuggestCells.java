package dev.kvcast.validator.fit;

import dev.kvcast.throughput.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.DiagonalMatrix;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/** Chooses cells one by one, each the one whose measurement lowers the predicted variance of all cells most. */
final class SuggestCells {

    /** Expected deviation of a measurement, as a share. */
    private static final double CELL_DEVIATION = 0.015;

    private static final double STEP = 1e-3;

    private final List<BenchmarkCell> candidates;
    private final List<RealVector> gradients = new ArrayList<>();
    private RealMatrix covariance;

    SuggestCells(
            List<BenchmarkCell> measured,
            List<BenchmarkCell> candidates,
            List<FreeCoefficient> free,
            Function<double[], StepTime> steps) {
        this.candidates = List.copyOf(candidates);
        double[] variances = free.stream()
                .mapToDouble(one -> one.deviation() * one.deviation())
                .toArray();
        covariance = new Array2DRowRealMatrix(new DiagonalMatrix(variances).getData(), false);
        StepTime middle = steps.apply(new double[variances.length]);
        List<StepTime> moved = new ArrayList<>();
        for (int i = 0; i < variances.length; i++) {
            double[] shifts = new double[variances.length];
            shifts[i] = STEP;
            moved.add(steps.apply(shifts));
        }
        for (BenchmarkCell cell : this.candidates) {
            gradients.add(gradient(cell, middle, moved));
        }
        for (BenchmarkCell cell : measured) {
            covariance = measured(gradient(cell, middle, moved));
        }
    }

    private static RealVector gradient(BenchmarkCell cell, StepTime middle, List<StepTime> moved) {
        double[] gradient = moved.stream()
                .mapToDouble(other -> Math.log(cell.rate(other) / cell.rate(middle)) / STEP)
                .toArray();
        return new ArrayRealVector(gradient, false);
    }

    List<Suggestion> best(int count) {
        List<Suggestion> chosen = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            left.add(i);
        }
        while (chosen.size() < count && !left.isEmpty()) {
            double before = uncertainty(covariance);
            int best = left.get(0);
            RealMatrix after = measured(gradients.get(best));
            for (int index : left) {
                RealMatrix other = measured(gradients.get(index));
                if (uncertainty(other) < uncertainty(after)) {
                    best = index;
                    after = other;
                }
            }
            chosen.add(new Suggestion(candidates.get(best), before, uncertainty(after)));
            left.remove(Integer.valueOf(best));
            covariance = after;
        }
        return chosen;
    }

    private double uncertainty(RealMatrix spread) {
        double sum = 0;
        for (RealVector gradient : gradients) {
            sum += Math.max(0, gradient.dotProduct(spread.operate(gradient)));
        }
        return Math.sqrt(sum / gradients.size());
    }

    /** The covariance once a cell is measured (Sherman-Morrison). */
    private RealMatrix measured(RealVector gradient) {
        RealVector carried = covariance.operate(gradient);
        double total = gradient.dotProduct(carried) + CELL_DEVIATION * CELL_DEVIATION;
        return covariance.subtract(carried.outerProduct(carried).scalarMultiply(1 / total));
    }
}
