package dev.kvcast.throughput;

/** What one engine step holds: sequences that decode one token each, and chunks of prompts. Counts are per replica. */
public interface StepContent {

    /** Sequences that decode. */
    int sequences();

    /**
     * Cached tokens over all sequences that decode, each counted up to {@code cap}.
     *
     * @param cap a window in tokens; {@link Long#MAX_VALUE} for no limit
     */
    double contextTokens(long cap);

    /** Leading tokens that the caches of all decoding sequences share, 0 where nothing is. */
    long sharedTokens();

    /** Whether the prompts resemble each other, so that their tokens choose like experts. */
    boolean alike();

    /** Chunks of prompts. */
    int chunks();

    /** Tokens of a chunk. */
    double chunkTokens(int index);

    /** Cached tokens before a chunk. */
    double chunkContext(int index);

    /** Whether a chunk ends its prompt, so that a token is sampled. */
    boolean chunkIsLast(int index);
}
