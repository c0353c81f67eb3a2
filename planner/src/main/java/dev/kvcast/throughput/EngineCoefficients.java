package dev.kvcast.throughput;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The coefficients of one engine over all classes of devices. A class differs from the engine's common value by an offset
 * that was fitted with it, or, where nothing of the class was measured, by an unknown one of known spread.
 *
 * @param engine engine name
 * @param scope the deployment they were measured on; empty for the common fit
 * @param entries coefficients and offsets in the covariance's order
 * @param covariance lower triangle, row by row
 * @param offsetDeviations spread of a class's offset where none was fitted, by coefficient
 * @param residuals what stays unexplained
 * @param form constants of the formula
 * @param cacheShares factor of the attention bandwidth by KV-cache type
 * @param unthrottled whether the card was measured to compute faster than its listed rates
 * @param runs measured runs they were fitted on, with sources
 */
public record EngineCoefficients(
        String engine,
        Optional<Scope> scope,
        List<Entry> entries,
        List<double[]> covariance,
        Map<Coefficient, Double> offsetDeviations,
        Residuals residuals,
        StepForm form,
        Map<String, Double> cacheShares,
        boolean unthrottled,
        List<Run> runs) {

    /** Copies the collections. */
    public EngineCoefficients {
        entries = List.copyOf(entries);
        covariance = covariance.stream().map(double[]::clone).toList();
        offsetDeviations = Map.copyOf(offsetDeviations);
        cacheShares = Map.copyOf(cacheShares);
        runs = List.copyOf(runs);
    }

    /**
     * A deployment.
     *
     * @param gpu card as the catalogue names it
     * @param model model id
     */
    public record Scope(String gpu, String model) {}

    /**
     * A measured run.
     *
     * @param name its name
     * @param source where it was published
     */
    public record Run(String name, String source) {}

    /**
     * A coefficient, or a class's offset of it.
     *
     * @param coefficient which
     * @param device class of the offset; empty for the common value
     * @param x estimate on the fitting scale
     * @param prior what was expected before any run was seen
     */
    public record Entry(Coefficient coefficient, Optional<DeviceClass> device, double x, Prior prior) {}

    /**
     * What is expected before measuring.
     *
     * @param x middle on the fitting scale
     * @param deviation standard deviation
     */
    public record Prior(double x, double deviation) {}

    /** The coefficients of one class of devices. */
    public Coefficients of(DeviceClass device) {
        int size = Coefficient.values().length;
        double[] x = new double[size];
        double[][] spread = new double[size][size];
        boolean[] offset = new boolean[size];
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (entry.device().isEmpty() || entry.device().get() == device) {
                rows.add(i);
                x[entry.coefficient().index()] += entry.x();
                offset[entry.coefficient().index()] |= entry.device().isPresent();
            }
        }
        for (int i : rows) {
            for (int j : rows) {
                spread[entries.get(i).coefficient().index()][
                        entries.get(j).coefficient().index()] += covariance.get(Math.max(i, j))[Math.min(i, j)];
            }
        }
        offsetDeviations.forEach((coefficient, deviation) -> {
            int index = coefficient.index();
            spread[index][index] += offset[index] ? 0 : deviation * deviation;
        });
        return new Coefficients(
                engine,
                device,
                Coefficients.boxed(x),
                Arrays.stream(spread).map(Coefficients::boxed).toList(),
                residuals,
                form,
                cacheShares,
                unthrottled,
                runs.stream().map(Run::name).toList());
    }

    /** The same with other residuals. */
    public EngineCoefficients withResiduals(String otherEngine, Residuals other) {
        return new EngineCoefficients(
                otherEngine, scope, entries, covariance, offsetDeviations, other, form, cacheShares, unthrottled, runs);
    }

    /**
     * The coefficients of one deployment in the form that files hold.
     *
     * @param defaults what they were before, which becomes the prior
     */
    public static EngineCoefficients ofDeployment(
            Coefficients found, Coefficients defaults, Scope scope, List<Run> runs) {
        List<Entry> entries = new ArrayList<>();
        List<double[]> triangle = new ArrayList<>();
        double[][] spread = found.covarianceMatrix();
        for (Coefficient coefficient : Coefficient.values()) {
            int index = coefficient.index();
            double before = defaults.covariance().get(index).get(index);
            Prior prior = new Prior(defaults.x().get(index), Math.sqrt(Math.max(LEAST_VARIANCE, before)));
            entries.add(new Entry(coefficient, Optional.empty(), found.x().get(index), prior));
            triangle.add(Arrays.copyOf(spread[index], index + 1));
        }
        return new EngineCoefficients(
                found.engine(),
                Optional.of(scope),
                entries,
                triangle,
                Map.of(),
                found.residuals(),
                found.form(),
                found.cacheShares(),
                found.unthrottled(),
                runs);
    }

    private static final double LEAST_VARIANCE = 1e-12;
}
