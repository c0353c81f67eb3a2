package dev.kvcast.validator.fit;

import dev.kvcast.throughput.CellTimes;
import dev.kvcast.throughput.StepTime;
import dev.kvcast.throughput.TimedSteps;

/**
 * Something a benchmark can measure of one deployment.
 *
 * @param label the cell in words, for example {@code decode 16384 x 8}
 * @param phase what it measures
 * @param time the time it takes, in steps
 * @param tokens tokens that this time yields: its rate is {@code tokens / time}
 * @param leastSeconds time below which the card cannot stay, whatever the engine
 */
public record BenchmarkCell(String label, Phase phase, TimedSteps time, double tokens, double leastSeconds) {

    /** What a cell measures. */
    public enum Phase {
        PREFILL,
        DECODE
    }

    /**
     * Decode rate of all requests together.
     *
     * @param contextTokens prompt tokens of each request
     * @param concurrency requests at once
     * @param outputTokens most tokens each generates
     * @param sharedPrefix whether all prompts are the same
     */
    public static BenchmarkCell decode(
            CellTimes times, long contextTokens, int concurrency, long outputTokens, boolean sharedPrefix) {
        double least =
                times.counter().leastSeconds(times.decodeStep(contextTokens, concurrency, outputTokens, sharedPrefix));
        return new BenchmarkCell(
                "decode " + contextTokens + " x " + concurrency,
                Phase.DECODE,
                times.decode(contextTokens, concurrency, outputTokens, sharedPrefix),
                concurrency,
                least);
    }

    /** Prefill rate of one prompt of {@code tokens} tokens, nothing cached. */
    public static BenchmarkCell prefill(CellTimes times, long tokens) {
        return new BenchmarkCell(
                "prefill " + tokens, Phase.PREFILL, times.prefill(tokens), tokens, times.leastPrefillSeconds(tokens));
    }

    /** Predicted tokens per second. */
    double rate(StepTime steps) {
        return tokens / time.seconds(steps);
    }
}
