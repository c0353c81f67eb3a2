package dev.kvcast.throughput;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The coefficients of one engine on one class of devices: best estimates on the fitting scale, and their covariance.
 *
 * @param engine engine name
 * @param device class of devices
 * @param x one number per {@link Coefficient}, in their order
 * @param covariance of {@code x}
 * @param residuals what stays unexplained
 * @param form constants of the formula
 * @param cacheShares factor of the attention bandwidth by KV-cache type, 1 where absent
 * @param unthrottled whether the card was measured to compute faster than its listed rates, as some unlocked ones do
 * @param runs measured runs they were fitted on
 */
public record Coefficients(
        String engine,
        DeviceClass device,
        List<Double> x,
        List<List<Double>> covariance,
        Residuals residuals,
        StepForm form,
        Map<String, Double> cacheShares,
        boolean unthrottled,
        List<String> runs) {

    /** Checks the dimensions and copies. */
    public Coefficients {
        int size = Coefficient.values().length;
        x = List.copyOf(x);
        covariance = covariance.stream().map(List::copyOf).toList();
        cacheShares = Map.copyOf(cacheShares);
        runs = List.copyOf(runs);
        if (x.size() != size || covariance.size() != size || covariance.stream().anyMatch(row -> row.size() != size)) {
            throw new IllegalArgumentException("expected " + size + " coefficients and their covariance");
        }
    }

    /** The estimates as an array. */
    public double[] estimates() {
        return x.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The covariance as an array. */
    public double[][] covarianceMatrix() {
        return covariance.stream()
                .map(row -> row.stream().mapToDouble(Double::doubleValue).toArray())
                .toArray(double[][]::new);
    }

    /** The formula's constants for a KV-cache type. */
    public StepForm formFor(String cacheDtype) {
        return form.withCacheShare(cacheShares.getOrDefault(cacheDtype, 1.0));
    }

    /** The same engine and device with coefficients of one deployment. */
    public Coefficients calibrated(double[] estimates, double[][] spread, Residuals measured, boolean withoutThrottle) {
        return new Coefficients(
                engine,
                device,
                boxed(estimates),
                Arrays.stream(spread).map(Coefficients::boxed).toList(),
                measured,
                form,
                cacheShares,
                withoutThrottle,
                runs);
    }

    static List<Double> boxed(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
