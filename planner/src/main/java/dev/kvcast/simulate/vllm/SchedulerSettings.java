package dev.kvcast.simulate.vllm;

import java.util.List;

/**
 * Everything that decides what vLLM schedules ({@code config/scheduler.py}, {@code config/cache.py}).
 *
 * @param blocks blocks in the pool, the null block included
 * @param groups KV-cache groups
 * @param prefixCaching whether cached prefixes are reused
 * @param retentionInterval tokens between kept states and window tails: 0 keeps those at the end of a prompt only,
 *     {@link #DENSE} all
 * @param prefixMatchUnit tokens per prefix hash; 0 for the greatest common divisor of the block sizes
 * @param sharedPrefixCheckpoint whether a chunk may end where a shared prefix ends inside a block
 * @param maxBatchedTokens input tokens of one step
 * @param maxScheduledTokens tokens of one step, at most {@code maxBatchedTokens}
 * @param maxSequences requests running at once
 * @param longPrefillThreshold most tokens of one prompt in a step; 0 for no limit
 * @param adaptiveThreshold whether that limit rises to a fair share of the step
 * @param maxModelLen longest sequence in tokens
 * @param policy order of waiting requests
 * @param watermark share of the pool kept free when admitting
 * @param reserveFullPrompt whether a request is admitted only if all its tokens fit
 * @param chunkedPrefill whether prompts are split over steps
 * @param async whether a step is scheduled while the one before runs
 * @param pipelineStages pipeline-parallel ranks
 * @param speculation drafts
 */
public record SchedulerSettings(
        int blocks,
        List<CacheGroup> groups,
        boolean prefixCaching,
        int retentionInterval,
        int prefixMatchUnit,
        boolean sharedPrefixCheckpoint,
        int maxBatchedTokens,
        int maxScheduledTokens,
        int maxSequences,
        int longPrefillThreshold,
        boolean adaptiveThreshold,
        int maxModelLen,
        Policy policy,
        double watermark,
        boolean reserveFullPrompt,
        boolean chunkedPrefill,
        boolean async,
        int pipelineStages,
        Speculation speculation) {

    /** Retention interval that keeps every state and window tail. */
    public static final int DENSE = -1;

    /** Order of waiting requests. */
    public enum Policy {
        /** First come, first served. */
        FCFS,
        /** Smallest priority number first, then by arrival. */
        PRIORITY
    }

    /** Copies the list. */
    public SchedulerSettings {
        groups = List.copyOf(groups);
    }

    /** Steps that may be under way at once ({@code VllmConfig.max_concurrent_batches}). */
    public int concurrentBatches() {
        return async ? pipelineStages + 1 : pipelineStages;
    }

    /** Tokens that may be scheduled and not yet settled ({@code VllmConfig.max_in_flight_tokens}). */
    long maxInFlightTokens() {
        return (long) concurrentBatches() * maxBatchedTokens;
    }

    /** Smallest block size over the groups, which is what {@code cache_config.block_size} holds. */
    int smallestBlockSize() {
        return groups.stream().mapToInt(CacheGroup::blockSize).min().orElseThrow();
    }

    /** {@code resolve_kv_cache_block_sizes}: the least common multiple of the groups' block sizes. */
    public int schedulerBlockSize() {
        long multiple = 1;
        for (CacheGroup group : groups) {
            multiple = multiple / gcd(multiple, group.blockSize()) * group.blockSize();
        }
        return Math.toIntExact(multiple);
    }

    /** {@code resolve_kv_cache_block_sizes}: tokens per prefix hash. */
    public int hashBlockSize() {
        boolean plainState = groups.stream().anyMatch(g -> g.kind() == CacheGroup.Kind.STATE);
        if (groups.size() == 1 || !prefixCaching || plainState) {
            return schedulerBlockSize();
        }
        if (prefixMatchUnit > 0) {
            return prefixMatchUnit;
        }
        long divisor = 0;
        for (CacheGroup group : groups) {
            divisor = gcd(group.blockSize(), divisor);
        }
        return Math.toIntExact(divisor);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
