package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;

/** Sliding-window attention: blocks behind the window are freed as it moves ({@code SlidingWindowManager}). */
final class WindowGroup extends BlockGroup {

    private final int window;
    private final int cap;

    WindowGroup(int id, CacheGroup spec, BlockPool pool, PrefixHashes hashes, SchedulerSettings settings) {
        super(id, spec, pool, hashes, settings.schedulerBlockSize());
        window = spec.reach();
        long held = window - 1L + spec.extraRetained() + settings.maxInFlightTokens();
        cap = ceilDiv((int) Math.min(held, settings.maxModelLen()), blockSize) + 1;
    }

    @Override
    int admissionCap() {
        return cap;
    }

    @Override
    int skippedTokens(int computed) {
        return Math.max(0, computed - window + 1 - spec.extraRetained());
    }

    private int blocksForHit(boolean dropsLast) {
        return ceilDiv(window - 1, blockSize) + (dropsLast ? 1 : 0);
    }

    @Override
    int lookup(LookupSet set, int slot, int maxTokens, boolean dropLast, int alignment) {
        int blocks = search(set, slot, maxTokens / blockSize, dropLast, alignment);
        if (dropLast && blocks > 0) {
            blocks = alignedDown(blocks - 1, alignment);
        }
        set.truncate(blocks);
        return blocks * blockSize;
    }

    /** Looks from the right for enough cached blocks in a row; what is left at the very start counts too. */
    private int search(LookupSet set, int slot, int most, boolean dropLast, int alignment) {
        int enough = blocksForHit(dropLast);
        set.fillNull(most);
        int run = 0;
        for (int i = most - 1; i >= 0; i--) {
            if (!set.probe(slot, (i + 1) * units - 1)) {
                run = 0;
                continue;
            }
            if (run == 0 && blockSize != alignment && (dropLast ? i : i + 1) * blockSize % alignment != 0) {
                continue;
            }
            set.place(i);
            if (++run >= enough) {
                return i + run;
            }
        }
        return alignedDown(run, alignment);
    }

    private int alignedDown(int blocks, int alignment) {
        int aligned = blocks;
        while (blockSize != alignment && aligned * blockSize % alignment != 0) {
            aligned--;
        }
        return aligned;
    }

    /** Keeps the blocks that a hit at an aligned position reads ({@code reachable_block_mask}). */
    @Override
    boolean retains(int index, Retention retention) {
        if (hitAlignment % blockSize != 0) {
            return true;
        }
        int enough = blocksForHit(draft);
        int shift = draft ? 1 : 0;
        int segment = retention.isDense() ? hitAlignment : retention.interval();
        if (segment > 0) {
            int perSegment = segment / blockSize;
            if (enough >= perSegment || (index >= shift && (index - shift) % perSegment >= perSegment - enough)) {
                return true;
            }
        }
        return !retention.isDense() && nearBoundary(index, enough, shift, retention);
    }

    private boolean nearBoundary(int index, int enough, int shift, Retention retention) {
        for (int i = 0; i < retention.count(); i++) {
            int end = retention.boundary(i) / hitAlignment * hitAlignment / blockSize + shift;
            if (index >= end - enough && index < end) {
                return true;
            }
        }
        return false;
    }

    @Override
    int quietSteps(int slot, int computed) {
        int behindWindow = computed - window + 1 - spec.extraRetained();
        int untilDrop = behindWindow > 0 ? stepsInside(behindWindow) : blockSize - behindWindow - SETTLING_STEPS;
        return Math.max(0, Math.min(stepsInside(computed), untilDrop));
    }
}
