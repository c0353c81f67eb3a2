package dev.kvcast.engine;

/**
 * Resolved settings that limit what runs at once.
 *
 * @param maxModelLen longest sequence in tokens
 * @param maxSequences most requests decoding at once, per replica
 * @param maxBatchedTokens token budget of one step
 * @param prefixCaching whether shared prefixes are stored once
 * @param chunkedPrefill whether long prompts are split over steps
 * @param asyncScheduling whether scheduling overlaps execution
 * @param speculativeTokens draft tokens per step, 0 without speculation
 * @param cudaGraphs whether decode runs from captured graphs
 * @param parallelism how ranks divide the model
 */
public record ServingLimits(
        long maxModelLen,
        int maxSequences,
        int maxBatchedTokens,
        boolean prefixCaching,
        boolean chunkedPrefill,
        boolean asyncScheduling,
        int speculativeTokens,
        boolean cudaGraphs,
        Parallelism parallelism) {}
