package dev.kvcast.validator.compare;

import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.throughput.Forecast;
import dev.kvcast.validator.results.MeasuredCell;
import dev.kvcast.validator.results.MeasuredCell.Status;
import java.util.Optional;

/**
 * One cell, measured and predicted.
 *
 * @param measured what was measured
 * @param verdict whether it was predicted to fit; empty for prefill
 * @param rate tokens per second; empty where nothing was measured or nothing can be predicted
 * @param ttft milliseconds to the first token; empty likewise
 */
public record ComparedCell(
        MeasuredCell measured, Optional<CellCapacity> verdict, Optional<Pair> rate, Optional<Pair> ttft) {

    /**
     * A measured number and its prediction.
     *
     * @param measured positive
     * @param predicted with its 90% interval
     */
    public record Pair(double measured, Forecast predicted) {

        /** Prediction over measurement less 1: above 0 where too much was promised. */
        public double error() {
            return predicted.value() / measured - 1;
        }

        /** Whether the measurement lies in the interval. */
        public boolean covered() {
            return predicted.covers(measured);
        }
    }

    /**
     * Whether the verdict came true; empty where nothing was judged. A server that held fewer requests than asked agrees
     * with {@code tight} too.
     */
    public Optional<Boolean> verdictAgrees() {
        if (verdict.isEmpty() || measured.status() == Status.FAILED) {
            return Optional.empty();
        }
        Verdict predicted = verdict.get().verdict();
        if (measured.valid()) {
            return Optional.of(predicted != Verdict.OVER);
        }
        boolean tried = measured.sample().activeRequests().isPresent();
        return Optional.of(predicted == Verdict.OVER || (tried && predicted == Verdict.TIGHT));
    }
}
