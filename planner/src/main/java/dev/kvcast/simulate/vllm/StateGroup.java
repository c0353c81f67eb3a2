package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.IntList;
import java.util.Arrays;

/** Recurrent states: only the last one is needed to go on ({@code MambaManager}). */
class StateGroup extends BlockGroup {

    /** Keys entered in this step: their states exist only when the step has run. */
    private long[] fresh = new long[16];

    private int freshCount;

    StateGroup(int id, CacheGroup spec, BlockPool pool, PrefixHashes hashes, int schedulerBlock) {
        super(id, spec, pool, hashes, schedulerBlock);
    }

    @Override
    final void newStep() {
        freshCount = 0;
    }

    final void markFresh(long key) {
        if (freshCount == fresh.length) {
            fresh = Arrays.copyOf(fresh, freshCount * 2);
        }
        fresh[freshCount++] = key;
    }

    /** Whether the hit's state is being made in this very step, so that nobody can use it yet. */
    final boolean hitIsFresh(IntList hits) {
        if (hits.isEmpty() || !pool.isKeyed(hits.last())) {
            return false;
        }
        long key = pool.primaryKey(hits.last());
        for (int i = 0; i < freshCount; i++) {
            if (fresh[i] == key) {
                return true;
            }
        }
        return false;
    }

    /** More blocks than there are: whoever needs them waits for the next step. */
    final int tooMany() {
        return pool.blocks() + 1;
    }

    @Override
    int skippedTokens(int computed) {
        return computed - 1;
    }

    @Override
    int needed(int slot, int tokens, IntList hits, int computed, int mainTokens, boolean admission, int prefillEnd) {
        if (hitIsFresh(hits)) {
            return tooMany();
        }
        int all = tokens + blockSize * spec.speculativeBlocks();
        return super.needed(slot, all, hits, computed, mainTokens, admission, prefillEnd);
    }

    @Override
    void extend(int slot, int tokens, int mainTokens) {
        super.extend(slot, tokens + blockSize * spec.speculativeBlocks(), mainTokens);
    }

    @Override
    void publish(int slot, PublishedRequest request, int tokens, Retention retention) {
        int before = Math.max(published[slot], 0);
        super.publish(slot, request, tokens, retention);
        int after = Math.max(published[slot], 0);
        publishInside(slot, request, tokens, retention);
        for (int i = before; i < after; i++) {
            int block = table[slot][i];
            if (block != BlockPool.NULL_BLOCK && pool.isKeyed(block)) {
                markFresh(pool.primaryKey(block));
            }
        }
    }

    /** Publishes a state that ends inside its block, where the cache mode has such states. */
    void publishInside(int slot, PublishedRequest request, int tokens, Retention retention) {}

    /** The rightmost stored state is all a hit needs. */
    @Override
    int lookup(LookupSet set, int slot, int maxTokens, boolean dropLast, int alignment) {
        boolean fine = alignment < blockSize && blockSize % alignment == 0;
        int step = fine ? alignment : blockSize;
        int stepUnits = fine ? 1 : units;
        for (int i = maxTokens / step; i > 0; i--) {
            boolean aligned = fine || blockSize == alignment || i * blockSize % alignment == 0;
            if (aligned && set.probe(slot, i * stepUnits - 1)) {
                set.fillNull((i * step - 1) / blockSize);
                set.take();
                return i * step;
            }
        }
        set.truncate(0);
        return 0;
    }

    /** Keeps one state per retention interval and those at a prompt's reusable ends ({@code reachable_block_mask}). */
    @Override
    final boolean retains(int index, Retention retention) {
        if (retains(index, retention.interval())) {
            return true;
        }
        for (int i = 0; i < retention.count(); i++) {
            int aligned = retention.boundary(i) / hitAlignment * hitAlignment;
            if (index == aligned / blockSize - 1) {
                return true;
            }
        }
        return false;
    }

    /** Whether the interval alone keeps the state. */
    final boolean retains(int index, int interval) {
        if (interval == SchedulerSettings.DENSE) {
            return true;
        }
        int perSegment = interval / blockSize;
        return interval > 0 && (perSegment <= 1 || (index + 1) % perSegment == 0);
    }

    @Override
    final int quietSteps(int slot, int computed) {
        return hasPartial(slot) ? 0 : stepsInside(computed);
    }

    @Override
    void leapTo(int slot, int tokens) {
        // Within a block, the state changes in place.
    }

    @Override
    final int missing(int slot, int tokens) {
        return 0;
    }
}
