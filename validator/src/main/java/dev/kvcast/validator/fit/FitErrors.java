package dev.kvcast.validator.fit;

import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.engine.vllm.NonKvMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How far predictions are off on some boots.
 *
 * @param rows one entry a boot
 */
record FitErrors(List<Miss> rows) {

    /** Copies the list. */
    FitErrors {
        rows = List.copyOf(rows);
    }

    /**
     * One boot.
     *
     * @param id row
     * @param percent predicted over printed, less one, in percent: tokens where they were printed, else bytes
     * @param covered whether the 90% interval holds what was printed
     */
    record Miss(String id, double percent, boolean covered) {}

    /** Judges one boot. */
    static Miss of(FitRow row, MemoryCoefficients coefficients) {
        NonKvMemory memory = NonKvMemory.of(
                row.features().profile(), coefficients, (double) row.features().weightBytes());
        double pool = (double) row.features().requestedBytes()
                - row.features().weightBytes()
                - memory.activation()
                - memory.graphs()
                - memory.other();
        double margin = memory.deviation() * coefficients.spread().factor();
        if (row.boot().printedTokens().isEmpty()) {
            double printed = row.availableBytes();
            double percent = 100 * (pool / printed - 1);
            return new Miss(row.boot().id(), percent, Math.abs(pool - printed) <= margin);
        }
        double printed = row.boot().printedTokens().getAsLong();
        long low = row.features().layout().tokens((long) (pool - margin));
        long high = row.features().layout().tokens((long) (pool + margin));
        double percent = 100 * (row.features().layout().tokens((long) pool) / printed - 1);
        return new Miss(row.boot().id(), percent, low <= printed && printed <= high);
    }

    /** Rows more than so many percent off, worst first. */
    List<Miss> beyond(double percent) {
        List<Miss> worst = new ArrayList<>(rows);
        worst.removeIf(row -> Math.abs(row.percent()) <= percent);
        worst.sort(Comparator.comparingDouble((Miss row) -> -Math.abs(row.percent())));
        return worst;
    }

    double median() {
        return quantile(0.5);
    }

    double p90() {
        return quantile(0.9);
    }

    double coverage() {
        return 100.0 * rows.stream().filter(Miss::covered).count() / rows.size();
    }

    private double quantile(double share) {
        List<Double> sorted =
                rows.stream().map(row -> Math.abs(row.percent())).sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, (int) (share * sorted.size())));
    }

    /** One line of a report. */
    String line(String label) {
        return String.format(
                Locale.ROOT,
                "%-34s n %3d  median %5.2f%%  p90 %6.2f%%  interval covers %3.0f%%",
                label,
                rows.size(),
                median(),
                p90(),
                coverage());
    }
}
