package dev.kvcast.simulate;

/**
 * Step times from bytes and operations alone: every step reads the weights once and each sequence's cache once, computes
 * two operations per active weight and token, and takes the longer of the two. No coefficient is fitted; the efficiencies
 * are the textbook's.
 *
 * @param weightBytes weights that one rank reads in every step
 * @param expertBytes routed experts of one rank, of which a step reads those its tokens use
 * @param expertShare share of the experts that one token uses
 * @param operationsPerToken operations of one token in one rank's matrices
 * @param operationsPerPair operations of one query token with one cached token
 * @param cacheBytesPerToken bytes of one cached token on one rank
 * @param bytesPerSecond memory bandwidth that is reached
 * @param operationsPerSecond compute rate that is reached
 * @param overheadSeconds time of a step that holds nothing
 */
public record RooflineClock(
        double weightBytes,
        double expertBytes,
        double expertShare,
        double operationsPerToken,
        double operationsPerPair,
        double cacheBytesPerToken,
        double bytesPerSecond,
        double operationsPerSecond,
        double overheadSeconds)
        implements StepClock {

    /** Share of the peak memory bandwidth that decode kernels reach. */
    public static final double MEMORY_EFFICIENCY = 0.9;

    /** Share of the peak compute rate that prefill kernels reach. */
    public static final double COMPUTE_EFFICIENCY = 0.85;

    /** Launches, sampling and scheduling of one step. */
    public static final double OVERHEAD_SECONDS = 0.5e-3;

    @Override
    public double seconds(StepLoad load) {
        double pairs = 0;
        double chunkContext = 0;
        for (int i = 0; i < load.chunks(); i++) {
            double tokens = load.chunkTokens(i);
            pairs += tokens * load.chunkContext(i) + tokens * tokens / 2;
            chunkContext += load.chunkContext(i);
        }
        double tokens = load.decodeTokens() + (double) load.prefillTokens();
        double touched = expertBytes == 0 ? 0 : expertBytes * (1 - StrictMath.pow(1 - expertShare, tokens));
        double matrices =
                Math.max((weightBytes + touched) / bytesPerSecond, tokens * operationsPerToken / operationsPerSecond);
        // Kept apart from the matrices, so that a decode step is affine in its context.
        double attention = Math.max(
                chunkContext * cacheBytesPerToken / bytesPerSecond, pairs * operationsPerPair / operationsPerSecond);
        double decode = load.contextTokens() * cacheBytesPerToken / bytesPerSecond;
        return overheadSeconds + matrices + attention + decode;
    }
}
