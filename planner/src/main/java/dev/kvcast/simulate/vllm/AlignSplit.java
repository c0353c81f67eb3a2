package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.vllm.CacheGroup.Kind;

/**
 * Ends the chunks of a prefill where a recurrent state must be kept: {@code _mamba_block_aligned_split} in
 * {@code v1/core/sched/scheduler.py}.
 */
final class AlignSplit {

    private final boolean active;
    private final int blockSize;
    private final int hashBlock;
    private final int checkpointBlock;
    private final int checkpointAlignment;
    private final int mostPrefillTokens;
    private final boolean insideBlocks;
    private final boolean drops;
    private final boolean junctionCheckpoints;
    private final boolean exportsCheckpoints;

    AlignSplit(SchedulerSettings settings) {
        active = settings.groups().stream().anyMatch(g -> g.kind() == Kind.ALIGNED_STATE);
        blockSize = settings.smallestBlockSize();
        hashBlock = settings.hashBlockSize();
        insideBlocks = active && hashBlock < settings.schedulerBlockSize() && GroupFactory.hitsInsideBlocks(settings);
        checkpointBlock = insideBlocks ? hashBlock : settings.schedulerBlockSize();
        drops = settings.speculation().hiddenStates();
        junctionCheckpoints = insideBlocks && GroupFactory.junctionCheckpoints(settings);
        checkpointAlignment = settings.groups().stream()
                .filter(CacheGroup::isState)
                .mapToInt(CacheGroup::checkpointAlignment)
                .findFirst()
                .orElse(0);
        exportsCheckpoints =
                active && settings.groups().stream().allMatch(g -> !g.isState() || g.checkpointAlignment() > 0);
        int threshold = settings.longPrefillThreshold();
        mostPrefillTokens =
                threshold > 0 ? Math.min(settings.maxScheduledTokens(), threshold) : settings.maxScheduledTokens();
    }

    /** Whether chunks are split at all. */
    boolean isActive() {
        return active;
    }

    /**
     * Tokens of the chunk that starts at {@code start}, at most {@code newTokens}; 0 if it cannot end anywhere.
     *
     * @param junction where a shared prefix was found to end, 0 for nowhere
     */
    int split(int prompt, int tokens, int start, int newTokens, int junction) {
        int prefillEnd = Math.max(prompt, tokens - 1);
        if (start >= prefillEnd) {
            return newTokens;
        }
        int end = start + newTokens;
        boolean internal = savesInside(start, end, prefillEnd);
        int lastCacheable = internal ? 0 : Checkpoints.position(tokens, blockSize, drops);
        if (end < prefillEnd) {
            int aligned = end / blockSize * blockSize;
            if (aligned > start || blockSize <= mostPrefillTokens) {
                end = aligned;
            }
        }
        int tail = insideBlocks && !internal ? Checkpoints.position(prompt, hashBlock, drops) : 0;
        int stop = end;
        if (start % blockSize != 0 && !internal) {
            stop = earlier(stop, (start / blockSize + 1) * blockSize, start, end);
        }
        stop = earlier(stop, lastCacheable, start, end);
        if (lastCacheable < tail && tail < prompt) {
            stop = earlier(stop, tail, start, end);
        }
        if (start < junction && junction < end) {
            stop = earlier(stop, junctionStop(prompt, start, junction), start, end);
        }
        return Math.max(stop - start, 0);
    }

    private int junctionStop(int prompt, int start, int junction) {
        boolean exact = junctionCheckpoints && junction <= prompt;
        return exact ? junction : start + (junction - start) / blockSize * blockSize;
    }

    private boolean savesInside(int start, int end, int prefillEnd) {
        return exportsCheckpoints
                && end >= prefillEnd
                && Checkpoints.isValid(
                        start,
                        end,
                        Checkpoints.position(prefillEnd, checkpointBlock, drops),
                        hashBlock,
                        blockSize,
                        checkpointAlignment);
    }

    private static int earlier(int stop, int candidate, int start, int end) {
        return start < candidate && candidate < end ? Math.min(stop, candidate) : stop;
    }
}
