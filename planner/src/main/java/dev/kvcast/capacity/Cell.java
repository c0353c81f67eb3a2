package dev.kvcast.capacity;

import dev.kvcast.model.InputException;

/**
 * One cell of a matrix.
 *
 * @param contextTokens prompt tokens in the cache before decoding, 0 or more
 * @param concurrency requests at once, 1 or more
 * @param outputTokens most tokens each request generates, 1 or more
 */
public record Cell(long contextTokens, int concurrency, long outputTokens) {

    /** Largest number of tokens taken seriously; a longer sequence is a typing error. */
    private static final long MOST_TOKENS = 1L << 40;

    /** Checks the ranges. */
    public Cell {
        if (contextTokens < 0 || contextTokens > MOST_TOKENS) {
            throw InputException.badInput("context of " + contextTokens + " tokens; expected 0 or more");
        }
        if (concurrency < 1) {
            throw InputException.badInput("concurrency " + concurrency + "; expected 1 or more");
        }
        if (outputTokens < 1 || outputTokens > MOST_TOKENS) {
            throw InputException.badInput("output of " + outputTokens + " tokens; expected 1 or more");
        }
    }

    /** Tokens of one request at its end. */
    public long finalTokens() {
        return contextTokens + outputTokens;
    }
}
