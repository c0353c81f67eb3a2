package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.IntList;
import java.util.Arrays;

/**
 * Recurrent states with snapshots at block boundaries: {@code MambaManager} in cache mode {@code align}. Slot {@code p}
 * of the table holds the state after {@code (p + 1) * blockSize} tokens; the running state is in the last one, before
 * the blocks for drafts.
 */
final class AlignedStateGroup extends StateGroup {

    private final int drafts;
    private final int checkpointAlignment;
    private final boolean dropsDraftBlock;
    private final boolean junctionCheckpoints;
    private int[] lastState = new int[16];
    private int[] retired = new int[16];
    private boolean[] allocated = new boolean[16];
    private int[] checkpointPosition = new int[16];
    private int[] checkpointIndex = new int[16];

    AlignedStateGroup(
            int id,
            CacheGroup spec,
            BlockPool pool,
            PrefixHashes hashes,
            int schedulerBlock,
            boolean dropsDraftBlock,
            boolean junctionCheckpoints) {
        super(id, spec, pool, hashes, schedulerBlock);
        drafts = spec.speculativeBlocks();
        checkpointAlignment = spec.checkpointAlignment();
        this.dropsDraftBlock = dropsDraftBlock;
        this.junctionCheckpoints = junctionCheckpoints;
    }

    @Override
    void open(int slot) {
        super.open(slot);
        lastState[slot] = -1;
        retired[slot] = 0;
        allocated[slot] = false;
        checkpointPosition[slot] = 0;
    }

    @Override
    void grow(int capacity) {
        super.grow(capacity);
        lastState = Arrays.copyOf(lastState, capacity);
        retired = Arrays.copyOf(retired, capacity);
        allocated = Arrays.copyOf(allocated, capacity);
        checkpointPosition = Arrays.copyOf(checkpointPosition, capacity);
        checkpointIndex = Arrays.copyOf(checkpointIndex, capacity);
    }

    @Override
    void leapTo(int slot, int tokens) {
        checkpointPosition[slot] = 0;
    }

    /** Interior states leave gaps of null blocks, so the scan goes on behind them. */
    @Override
    void dropRange(int slot, int from, int to) {
        int first = Math.max(from, retired[slot]);
        if (first >= to) {
            return;
        }
        pool.beginRelease();
        for (int i = to - 1; i >= first; i--) {
            if (table[slot][i] != BlockPool.NULL_BLOCK) {
                drop(slot, i);
            }
        }
        retired[slot] = to;
    }

    /** Also frees the state two steps back: the one after it is being copied from, the newest written. */
    @Override
    void dropSkipped(int slot, int processed) {
        super.dropSkipped(slot, processed);
        int last = lastState[slot];
        if (last >= 0 && last < ceilDiv(processed, blockSize) - 1 && table[slot][last] != BlockPool.NULL_BLOCK) {
            pool.beginRelease();
            drop(slot, last);
        }
    }

    @Override
    int needed(int slot, int tokens, IntList hits, int computed, int mainTokens, boolean admission, int prefillEnd) {
        if (hitIsFresh(hits)) {
            return tooMany();
        }
        int fresh = ceilDiv(mainTokens, blockSize) + drafts - hits.size() - length[slot];
        boolean partial = endsInsideBlock(hits, computed) || hasPartial(slot);
        if (partial) {
            fresh = Math.max(fresh, 0) + 1;
        }
        int checkpoint = reservedCheckpoint(slot, computed, mainTokens, prefillEnd);
        if (!admission) {
            checkpointPosition[slot] = checkpoint;
            checkpointIndex[slot] = ceilDiv(mainTokens, blockSize) - 2;
        }
        if (fresh > 0) {
            int most = 1 + (partial ? 1 : 0) + (checkpoint > 0 ? 1 : 0) + (allocated[slot] ? 0 : drafts);
            fresh = Math.min(fresh, most);
        }
        return fresh + evictable(hits, 0);
    }

    /** Position of the state that the backend will export inside this chunk; 0 for none. */
    private int reservedCheckpoint(int slot, int start, int end, int prefillEnd) {
        if (checkpointAlignment == 0 || end < prefillEnd) {
            return 0;
        }
        int position = Checkpoints.position(end, hitAlignment, dropsDraftBlock);
        int index = ceilDiv(end, blockSize) - 2;
        boolean valid =
                Checkpoints.isValid(start, end, position, hashes.unit(), blockSize, checkpointAlignment) && index >= 0;
        boolean room = index >= length[slot]
                || (index >= 0 && table[slot][index] == BlockPool.NULL_BLOCK)
                || (allocated[slot] && index >= length[slot] - drafts);
        return valid && room ? position : 0;
    }

    @Override
    void extend(int slot, int tokens, int mainTokens) {
        int required = ceilDiv(mainTokens, blockSize) + drafts;
        int checkpoint = checkpointPosition[slot] > 0 ? 1 : 0;
        int before = length[slot];
        if (required <= before && !hasPartial(slot) && checkpoint == 0) {
            allocated[slot] = true;
            return;
        }
        reserve(slot, required + drafts + 1);
        if (allocated[slot]) {
            lastState[slot] = before - 1 - drafts;
        } else if (before > 0) {
            lastState[slot] = before - 1;
        }
        int stateIndex = required - drafts - 1;
        for (int i = before; i < stateIndex - checkpoint; i++) {
            append(slot, BlockPool.NULL_BLOCK);
        }
        if (allocated[slot]) {
            relocateDrafts(slot, before, stateIndex - checkpoint);
        }
        int fresh = Math.max(required - length[slot], 0);
        if (hasPartial(slot)) {
            keepPartial(slot);
        }
        for (int i = 0; i < fresh; i++) {
            append(slot, pool.take());
        }
        allocated[slot] = true;
        clearPartial(slot);
    }

    /** Draft blocks that the state has overtaken move behind it. */
    private void relocateDrafts(int slot, int before, int end) {
        for (int i = before - drafts; i < before && i < end; i++) {
            int block = table[slot][i];
            if (!pool.isWritable(block)) {
                throw new IllegalStateException("a block for drafts is shared or published");
            }
            append(slot, block);
            table[slot][i] = BlockPool.NULL_BLOCK;
        }
    }

    /** Copies a state that others can find before it is overwritten. */
    private void keepPartial(int slot) {
        int copy = pool.take();
        if (!allocated[slot]) {
            copyOnWrite(slot, copy);
            return;
        }
        int source = partialSource[slot];
        pool.moveKeys(source, copy);
        copies.add(source);
        copies.add(copy);
        pool.touch(source);
        if (pool.isKeyed(copy)) {
            markFresh(pool.primaryKey(copy));
        }
    }

    /** {@code _cache_partial_tail_block}: the state at the prompt's last reusable position, or at a junction. */
    @Override
    void publishInside(int slot, PublishedRequest request, int tokens, Retention retention) {
        long key = checkpointPosition[slot] > 0
                ? publishCheckpoint(slot, request, retention)
                : publishTail(slot, request, tokens);
        if (key != PartialBlocks.NO_KEY) {
            markFresh(key);
        }
    }

    private long publishCheckpoint(int slot, PublishedRequest request, Retention retention) {
        int position = checkpointPosition[slot];
        int block = table[slot][checkpointIndex[slot]];
        boolean prompt = position == Checkpoints.position(request.prompt, hitAlignment, dropsDraftBlock);
        boolean kept = position % blockSize == 0 && retains(position / blockSize - 1, retention.interval());
        if (!prompt && !kept && position != request.junction) {
            pool.forget(block);
            return PartialBlocks.NO_KEY;
        }
        if (pool.isKeyed(block) && pool.prefixTokens(block) == position) {
            return PartialBlocks.NO_KEY;
        }
        return PartialBlocks.publish(this, slot, block, position, true);
    }

    private long publishTail(int slot, PublishedRequest request, int tokens) {
        int unit = hashes.unit();
        if (tokens <= 0 || tokens % unit != 0) {
            return PartialBlocks.NO_KEY;
        }
        boolean junction = junctionCheckpoints
                && tokens == request.junction
                && request.computed < tokens
                && tokens <= request.prompt;
        int index = ceilDiv(tokens, blockSize) - 1;
        if ((tokens != Checkpoints.position(request.prompt, unit, dropsDraftBlock) && !junction)
                || index >= length[slot]) {
            return PartialBlocks.NO_KEY;
        }
        int block = table[slot][index];
        long key = PartialBlocks.publish(this, slot, block, tokens, false);
        if (key != PartialBlocks.NO_KEY && tokens % blockSize != 0) {
            partialIndex[slot] = index;
            partialSource[slot] = block;
            published[slot] = index;
        }
        return key;
    }
}
