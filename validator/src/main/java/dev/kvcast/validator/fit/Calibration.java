package dev.kvcast.validator.fit;

import dev.kvcast.throughput.Coefficients;
import java.util.List;

/**
 * Coefficients of one deployment, fitted to its own measurements.
 *
 * @param coefficients what to predict with
 * @param cells how each measurement is met
 */
public record Calibration(Coefficients coefficients, List<Cell> cells) {

    /** Copies the list. */
    public Calibration {
        cells = List.copyOf(cells);
    }

    /**
     * One measurement.
     *
     * @param label the cell in words
     * @param measured tokens per second
     * @param before predicted by the default coefficients
     * @param after predicted by the calibrated ones
     * @param weight how much it counted: about 1, near 0 for an outlier
     */
    public record Cell(String label, double measured, double before, double after, double weight) {

        /** A weight below this marks a measurement that the others contradict. */
        private static final double OUTLYING = 0.15;

        /** Whether the other measurements contradict it. */
        public boolean outlier() {
            return weight < OUTLYING;
        }
    }

    /** The measurements that the others contradict. */
    public List<Cell> outliers() {
        return cells.stream().filter(Cell::outlier).toList();
    }
}
