package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.TokenHash;
import java.util.Arrays;

/**
 * Block tables of one KV-cache group ({@code SingleTypeKVCacheManager} in
 * {@code v1/core/single_type_kv_cache_manager.py}). A request is known by its slot.
 */
abstract class BlockGroup {

    static final int UNTRACKED = -1;
    static final int SETTLING_STEPS = 4;
    private static final int NONE = -1;

    final int id;
    final CacheGroup spec;
    final int blockSize;
    final BlockPool pool;
    final PrefixHashes hashes;
    /** Hash units per block. */
    final int units;
    /** Blocks of the last lookup. */
    final IntList hit = new IntList();
    /** Pairs of source and target blocks whose copies have not been handed out. */
    final IntList copies = new IntList();
    /** The block that the last probe found. */
    int found;
    /** Whether hits of this group end one block earlier. */
    boolean draft;
    /** Tokens that a hit's length is a multiple of. */
    int hitAlignment;

    int[][] table = new int[16][];
    int[] length = new int[16];
    /** Blocks already published, or {@link #UNTRACKED} before the first. */
    int[] published = new int[16];
    /** Index of a block shared up to its middle, which must be copied before it is written. */
    int[] partialIndex = new int[16];

    int[] partialSource = new int[16];

    BlockGroup(int id, CacheGroup spec, BlockPool pool, PrefixHashes hashes, int schedulerBlock) {
        this.id = id;
        this.spec = spec;
        this.blockSize = spec.blockSize();
        this.pool = pool;
        this.hashes = hashes;
        this.units = Math.max(1, blockSize / hashes.unit());
        this.hitAlignment = schedulerBlock;
    }

    /** Prepares a slot for a request that holds nothing. */
    void open(int slot) {
        if (slot >= table.length) {
            grow(Math.max(slot + 1, table.length * 2));
        }
        if (table[slot] == null) {
            table[slot] = new int[32];
        }
        length[slot] = 0;
        published[slot] = UNTRACKED;
        partialIndex[slot] = NONE;
    }

    void grow(int capacity) {
        table = Arrays.copyOf(table, capacity);
        length = Arrays.copyOf(length, capacity);
        published = Arrays.copyOf(published, capacity);
        partialIndex = Arrays.copyOf(partialIndex, capacity);
        partialSource = Arrays.copyOf(partialSource, capacity);
    }

    /** Most blocks that admission charges a request ({@code max_admission_blocks_per_request}). */
    int admissionCap() {
        return Integer.MAX_VALUE;
    }

    /** Tokens that attention no longer reads once {@code computed} are done. */
    int skippedTokens(int computed) {
        return 0;
    }

    /**
     * Blocks the request still has to take to reach {@code tokens}, free blocks among its hit included.
     *
     * @param hits blocks of its prefix hit; empty once it runs
     * @param admission whether this is the check of the whole sequence at admission
     * @param prefillEnd where its prefill ends; 0 when that does not matter
     */
    int needed(int slot, int tokens, IntList hits, int computed, int mainTokens, boolean admission, int prefillEnd) {
        int required = ceilDiv(tokens, blockSize);
        if (admission) {
            required = Math.min(required, admissionCap());
        }
        int held = length[slot];
        if (published[slot] != UNTRACKED) {
            return Math.max(required - held, 0);
        }
        int skipped = Math.floorDiv(skippedTokens(computed), blockSize);
        int local = hits.size() + held;
        int fresh = Math.max(required - Math.max(skipped, local), 0);
        int evictable = evictable(hits, Math.max(0, skipped - held));
        return fresh + evictable + (endsInsideBlock(hits, computed) ? 1 : 0);
    }

    final int evictable(IntList hits, int from) {
        int count = 0;
        for (int i = from; i < hits.size(); i++) {
            if (pool.isFree(hits.get(i))) {
                count++;
            }
        }
        return count;
    }

    final boolean endsInsideBlock(IntList hits, int computed) {
        return !hits.isEmpty() && computed % blockSize != 0;
    }

    /** Makes the hit the start of the request's table ({@code add_local_computed_blocks}). */
    void adopt(int slot, int computed) {
        int skipped = Math.max(0, Math.floorDiv(skippedTokens(computed), blockSize));
        reserve(slot, Math.max(skipped, hit.size()));
        for (int i = 0; i < skipped; i++) {
            append(slot, BlockPool.NULL_BLOCK);
        }
        for (int i = skipped; i < hit.size(); i++) {
            pool.touch(hit.get(i));
            append(slot, hit.get(i));
        }
        published[slot] = length[slot];
        if (hit.size() > skipped && computed % blockSize != 0) {
            partialIndex[slot] = computed / blockSize;
            partialSource[slot] = hit.last();
            published[slot] = partialIndex[slot];
        }
    }

    /** Takes blocks until the table covers {@code tokens} ({@code allocate_new_blocks}). */
    void extend(int slot, int tokens, int mainTokens) {
        if (partialIndex[slot] != NONE) {
            copyOnWrite(slot, pool.take());
            partialIndex[slot] = NONE;
        }
        int required = ceilDiv(tokens, blockSize);
        if (length[slot] < required) {
            reserve(slot, required);
            pool.take(table[slot], length[slot], required);
            length[slot] = required;
        }
    }

    /** Redirects a shared block that the request is about to write to a copy; both stay alive until it is made. */
    final void copyOnWrite(int slot, int copy) {
        table[slot][partialIndex[slot]] = copy;
        copies.add(partialSource[slot]);
        copies.add(copy);
        pool.touch(copy);
    }

    final boolean hasPartial(int slot) {
        return partialIndex[slot] != NONE;
    }

    final void clearPartial(int slot) {
        partialIndex[slot] = NONE;
    }

    /** Lets others find the blocks that {@code tokens} fill ({@code cache_blocks}). */
    void publish(int slot, PublishedRequest request, int tokens, Retention retention) {
        int from = Math.max(published[slot], 0);
        int to = tokens / blockSize;
        if (from >= to) {
            return;
        }
        for (int i = from; i < to; i++) {
            int block = table[slot][i];
            if (block != BlockPool.NULL_BLOCK && retains(i, retention)) {
                enter(slot, block, i);
            }
        }
        published[slot] = to;
    }

    private void enter(int slot, int block, int index) {
        long hash = hashes.at(slot, (index + 1) * units - 1);
        if (hash == PrefixHashes.PRIVATE) {
            pool.markPrivate(block);
        } else {
            pool.forget(block);
            pool.publish(block, TokenHash.key(hash, id), (index + 1) * blockSize);
        }
    }

    /** Whether the block that ends after {@code index + 1} blocks can serve a later hit. */
    boolean retains(int index, Retention retention) {
        return true;
    }

    /** Frees what fell out of reach once {@code processed} tokens are settled ({@code remove_skipped_blocks}). */
    void dropSkipped(int slot, int processed) {
        int skipped = skippedTokens(processed);
        if (skipped > 0) {
            dropRange(slot, 0, Math.min(skipped / blockSize, length[slot]));
        }
    }

    void dropRange(int slot, int from, int to) {
        pool.beginRelease();
        for (int i = to - 1; i >= from && table[slot][i] != BlockPool.NULL_BLOCK; i--) {
            drop(slot, i);
        }
    }

    /** Frees one block within a release; it stays findable for its owner. */
    final void drop(int slot, int index) {
        int block = table[slot][index];
        publishPrivate(slot, index);
        pool.release(block);
        table[slot][index] = BlockPool.NULL_BLOCK;
    }

    /** Enters a private block into the map, because its owner may look for it again. */
    final void publishPrivate(int slot, int index) {
        int block = table[slot][index];
        if (pool.isPrivate(block)) {
            long hash = hashes.own(slot, (index + 1) * units - 1);
            pool.publish(block, TokenHash.key(hash, id), (index + 1) * blockSize);
        }
    }

    /** Enters all private blocks into the map. */
    final void publishPrivate(int slot) {
        for (int i = 0; i < length[slot]; i++) {
            publishPrivate(slot, i);
        }
    }

    /** Frees the request's blocks, the last one first. */
    void release(int slot) {
        pool.beginRelease();
        int[] blocks = table[slot];
        for (int i = length[slot] - 1; i >= 0; i--) {
            pool.release(blocks[i]);
        }
        open(slot);
    }

    /** Longest cached prefix of at most {@code maxTokens}; fills the hits of the set ({@code find_longest_cache_hit}). */
    abstract int lookup(LookupSet set, int slot, int maxTokens, boolean dropLast, int alignment);

    /** Blocks at the end of the table that {@code tokens} still need. */
    int missing(int slot, int tokens) {
        return Math.max(0, ceilDiv(tokens, blockSize) - length[slot]);
    }

    /** Whether the table and what is published of it reach that far already. */
    final boolean covers(int slot, int tokens, int publishedTokens) {
        return tokens <= length[slot] * blockSize && isPublished(slot, publishedTokens);
    }

    /** Whether all full blocks of so many tokens are published. */
    final boolean isPublished(int slot, int tokens) {
        return tokens < (Math.max(published[slot], 0) + 1) * blockSize;
    }

    /** Takes the blocks that quiet decoding up to {@code tokens} needs. */
    void leapTo(int slot, int tokens) {
        extend(slot, tokens, tokens);
    }

    /**
     * Steps that stay away from a block boundary: there, blocks are taken, published and freed, and with steps under way
     * it takes a few until all of that is settled.
     */
    final int stepsInside(int position) {
        int inside = position % blockSize;
        return inside < SETTLING_STEPS ? 0 : Math.max(0, blockSize - SETTLING_STEPS - inside);
    }

    /** Steps over which one more token each needs nothing but new blocks at the end of the table. */
    int quietSteps(int slot, int computed) {
        return Integer.MAX_VALUE;
    }

    /** Tells the group that a step begins. */
    void newStep() {}

    final void append(int slot, int block) {
        table[slot][length[slot]++] = block;
    }

    final void reserve(int slot, int blocks) {
        if (blocks > table[slot].length) {
            table[slot] = Arrays.copyOf(table[slot], Math.max(blocks, table[slot].length * 2));
        }
    }

    static int ceilDiv(int value, int divisor) {
        return (value + divisor - 1) / divisor;
    }
}
