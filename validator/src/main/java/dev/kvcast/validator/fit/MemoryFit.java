package dev.kvcast.validator.fit;

import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.engine.vllm.MemoryCoefficients.Activation;
import dev.kvcast.engine.vllm.MemoryCoefficients.Graphs;
import dev.kvcast.engine.vllm.MemoryCoefficients.Other;
import dev.kvcast.engine.vllm.NonKvMemory;
import java.util.List;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.fitting.leastsquares.MultivariateJacobianFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.util.Pair;

/**
 * Fits the free factors of vLLM's non-KV memory by weighted least squares with a soft-L1 loss (reweighted iteratively) and
 * a weak pull towards where it started. What printed terms settle (bytes per logit, gated-delta buffers) stays as it is.
 */
final class MemoryFit {

    private static final double GIB = 1L << 30;

    /** Residual in GiB from which a row counts linearly. */
    private static final double SOFT = 0.15;

    private static final double PRIOR = 0.3;
    private static final int ROUNDS = 12;

    /** Starting values of the free factors, in the order of {@link #with}. */
    private static final double[] START = {1.0, 1.2, 1.0, 0.15, 0.3, 0.1, 0.2, 5.0};

    private final MemoryCoefficients fixed;

    /** A fit that keeps the factors of {@code fixed} that are not free. */
    MemoryFit(MemoryCoefficients fixed) {
        this.fixed = fixed;
    }

    /** The coefficients that explain the rows best. */
    MemoryCoefficients fit(List<FitRow> rows) {
        double[] scaled = new double[START.length];
        java.util.Arrays.fill(scaled, 1);
        double[] loss = new double[rows.size()];
        java.util.Arrays.fill(loss, 1);
        for (int round = 0; round < ROUNDS; round++) {
            scaled = solve(rows, scaled, loss);
            for (int i = 0; i < loss.length; i++) {
                double residual = residual(rows, i, with(scaled)) / SOFT;
                loss[i] = Math.pow(1 + residual * residual, -0.25);
            }
        }
        return with(scaled);
    }

    private double[] solve(List<FitRow> rows, double[] start, double[] loss) {
        MultivariateJacobianFunction model = point -> {
            double[] at = point.toArray();
            double[] values = residuals(rows, at, loss);
            double[][] slopes = new double[values.length][at.length];
            for (int j = 0; j < at.length; j++) {
                double[] moved = at.clone();
                double step = 1e-4;
                moved[j] += step;
                double[] there = residuals(rows, moved, loss);
                for (int i = 0; i < values.length; i++) {
                    slopes[i][j] = (there[i] - values[i]) / step;
                }
            }
            return Pair.create(new ArrayRealVector(values, false), new Array2DRowRealMatrix(slopes, false));
        };
        return new LevenbergMarquardtOptimizer()
                .optimize(new LeastSquaresBuilder()
                        .start(start)
                        .model(model)
                        .target(new double[rows.size() + start.length])
                        .maxEvaluations(1000)
                        .maxIterations(1000)
                        .build())
                .getPoint()
                .toArray();
    }

    private double[] residuals(List<FitRow> rows, double[] at, double[] loss) {
        MemoryCoefficients coefficients = with(at);
        double[] values = new double[rows.size() + at.length];
        for (int i = 0; i < rows.size(); i++) {
            values[i] = loss[i] * residual(rows, i, coefficients);
        }
        for (int j = 0; j < at.length; j++) {
            values[rows.size() + j] = PRIOR * (at[j] - 1);
        }
        return values;
    }

    /** What a row misses by, in GiB, weighted: small pools count more, unified memory and unprinted weights less. */
    private double residual(List<FitRow> rows, int index, MemoryCoefficients coefficients) {
        FitRow row = rows.get(index);
        NonKvMemory memory = NonKvMemory.of(row.features().profile(), coefficients, row.weightBytes());
        double missed = (memory.activation() + memory.graphs() + memory.other()) / GIB - row.nonKvGib();
        double size = Math.pow(10 / Math.min(Math.max(row.availableGib(), 4), 60), 0.6);
        double trust = row.boot().weightsGib().isPresent() ? 1 : 0.7;
        double unified = row.features().profile().traits().unified() ? 1.0 / 8 : 1;
        return missed * size * trust * unified / Math.sqrt(repeats(rows, row));
    }

    /** Boots of one source, card and model with almost the same pool are one observation. */
    private static long repeats(List<FitRow> rows, FitRow row) {
        return rows.stream()
                .filter(other -> other.boot().source().equals(row.boot().source())
                        && other.modelKey().equals(row.modelKey())
                        && other.card().equals(row.card())
                        && Math.abs(other.availableGib() - row.availableGib()) < 0.05)
                .count();
    }

    private MemoryCoefficients with(double[] scaled) {
        double[] value = new double[scaled.length];
        for (int i = 0; i < value.length; i++) {
            value[i] = Math.max(0, scaled[i] * START[i]);
        }
        Activation old = fixed.activation();
        Other rest = fixed.other();
        return new MemoryCoefficients(
                new Activation(
                        old.denseLayer(),
                        value[0],
                        old.hyperLayer(),
                        value[1],
                        old.logitBytesUnsampled(),
                        old.logitBytesNative(),
                        old.logitBytesFused(),
                        old.logitBytesPlain(),
                        old.logitBytesRejection(),
                        old.hiddenCopiesSecondRunner()),
                new Graphs(value[2], fixed.graphs().secondRunner()),
                new Other(
                        value[3],
                        value[4],
                        rest.tensorParallelLinked(),
                        value[5],
                        value[6],
                        rest.deltaNet(),
                        value[7],
                        rest.rocm(),
                        rest.xpu()),
                fixed.spread());
    }
}
