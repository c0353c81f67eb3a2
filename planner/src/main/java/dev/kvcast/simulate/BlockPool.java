package dev.kvcast.simulate;

/**
 * The blocks of a KV pool: reference counts, what they hold, and the list of free blocks in the order they will be taken
 * ({@code v1/core/block_pool.py}, {@code FreeKVCacheBlockQueue} in {@code v1/core/kv_cache_utils.py}).
 *
 * <p>A free block may still hold a cached prefix; it is taken only after those that hold none. A prefix that only its
 * own request can ask for need not be in the {@link PrefixCache}: its block is marked private, which is all that the
 * order of eviction depends on, and gets a key only when its request loses it. Block 0 is the null block: it fills gaps
 * in block tables and is never handed out.
 */
public final class BlockPool {

    /** The block that stands for "none" in a block table. */
    public static final int NULL_BLOCK = 0;

    /** Four numbers per block, side by side, so that a block costs one cache line. */
    private static final int STRIDE_BITS = 2;

    private static final int NEXT = 0;
    private static final int PREVIOUS = 1;
    private static final int REFERENCES = 2;
    private static final int HOLDS = 3;

    private static final int NOTHING = 0;
    private static final int PRIVATE_PREFIX = 1;
    private static final int KEYED_PREFIX = 2;

    private final int blocks;
    private final PrefixCache cache;
    private final boolean caching;
    /** The free list is circular; block number {@code blocks} is its head and tail. */
    private final int[] nodes;

    private int free;
    private int privatePrefixes;
    private int releaseCursor;

    /**
     * A pool with every block but the null block free, in order of their numbers.
     *
     * @param blocks blocks, the null block included
     * @param caching whether freed blocks keep their prefix
     */
    public BlockPool(int blocks, boolean caching) {
        this.blocks = blocks;
        this.caching = caching;
        cache = new PrefixCache(blocks);
        nodes = new int[(blocks + 1) << STRIDE_BITS];
        for (int block = 1; block <= blocks; block++) {
            int before = block == 1 ? blocks : block - 1;
            nodes[at(block, PREVIOUS)] = before;
            nodes[at(before, NEXT)] = block;
        }
        free = blocks - 1;
    }

    private static int at(int block, int field) {
        return (block << STRIDE_BITS) + field;
    }

    /** Blocks in the pool, the null block included. */
    public int blocks() {
        return blocks;
    }

    /** Free blocks, those with a cached prefix included. */
    public int free() {
        return free;
    }

    /** Distinct prefixes cached. */
    public int cachedPrefixes() {
        return cache.size() + privatePrefixes;
    }

    /** The block that holds the prefix, or -1. */
    public int find(long key) {
        return cache.find(key);
    }

    /** Whether the block is free, and not the null block. */
    public boolean isFree(int block) {
        return nodes[at(block, REFERENCES)] == 0 && block != NULL_BLOCK;
    }

    /** Whether the block holds a cached prefix. */
    public boolean isCached(int block) {
        return nodes[at(block, HOLDS)] != NOTHING;
    }

    /** Whether the block holds a prefix that is in the map. */
    public boolean isKeyed(int block) {
        return nodes[at(block, HOLDS)] == KEYED_PREFIX;
    }

    /** Whether the block holds a prefix that is not in the map. */
    public boolean isPrivate(int block) {
        return nodes[at(block, HOLDS)] == PRIVATE_PREFIX;
    }

    /** Whether the block has one owner and holds no cached prefix. */
    public boolean isWritable(int block) {
        return block != NULL_BLOCK && nodes[at(block, REFERENCES)] == 1 && !isCached(block);
    }

    /** First key of a keyed block. */
    public long primaryKey(int block) {
        return cache.primaryKey(block);
    }

    /** Tokens of the prefix behind the first key of a keyed block. */
    public int prefixTokens(int block) {
        return cache.prefixTokens(block);
    }

    /** Whether {@code key} leads to {@code block}. */
    public boolean contains(long key, int block) {
        return cache.contains(key, block);
    }

    /** Makes the block findable under one more key; see {@link PrefixCache#insert}. */
    public void publish(int block, long key, int tokens) {
        if (isPrivate(block)) {
            privatePrefixes--;
        }
        nodes[at(block, HOLDS)] = KEYED_PREFIX;
        cache.insert(block, key, tokens);
    }

    /** Marks a block as holding a prefix that only its owner can ask for. */
    public void markPrivate(int block) {
        forget(block);
        nodes[at(block, HOLDS)] = PRIVATE_PREFIX;
        privatePrefixes++;
    }

    /** Makes the block hold nothing. */
    public void forget(int block) {
        int holds = nodes[at(block, HOLDS)];
        if (holds == NOTHING) {
            return;
        }
        nodes[at(block, HOLDS)] = NOTHING;
        if (holds == PRIVATE_PREFIX) {
            privatePrefixes--;
        } else {
            cache.remove(block);
        }
    }

    /** Lets {@code target} answer for all keys of {@code source}. */
    public void moveKeys(int source, int target) {
        if (isKeyed(source)) {
            cache.move(source, target);
            nodes[at(source, HOLDS)] = NOTHING;
            nodes[at(target, HOLDS)] = KEYED_PREFIX;
        }
    }

    /** Takes the next free block and forgets the prefix it held. */
    public int take() {
        int block = nodes[at(blocks, NEXT)];
        if (block == blocks) {
            throw new IllegalStateException("no free block");
        }
        unlink(block);
        forget(block);
        nodes[at(block, REFERENCES)] = 1;
        return block;
    }

    /** Takes the next free blocks, as often as {@link #take()} would, into {@code target[from .. to - 1]}. */
    public void take(int[] target, int from, int to) {
        int block = nodes[at(blocks, NEXT)];
        for (int i = from; i < to; i++) {
            if (block == blocks) {
                throw new IllegalStateException("no free block");
            }
            target[i] = block;
            forget(block);
            nodes[at(block, REFERENCES)] = 1;
            block = nodes[at(block, NEXT)];
        }
        nodes[at(blocks, NEXT)] = block;
        nodes[at(block, PREVIOUS)] = blocks;
        free -= to - from;
    }

    /** Adds a reference; a free block leaves the free list. */
    public void touch(int block) {
        if (isFree(block)) {
            unlink(block);
        }
        nodes[at(block, REFERENCES)]++;
    }

    /** Starts to free a group of blocks together; those that hold nothing will be taken first, in their given order. */
    public void beginRelease() {
        releaseCursor = blocks;
    }

    /** Drops a reference; the last one puts the block back into the free list. */
    public void release(int block) {
        if (block == NULL_BLOCK || --nodes[at(block, REFERENCES)] > 0) {
            return;
        }
        if (caching && isCached(block)) {
            insertAfter(nodes[at(blocks, PREVIOUS)], block);
        } else {
            insertAfter(releaseCursor, block);
            releaseCursor = block;
        }
    }

    /** The free block after {@code block}, or the first one for -1; -1 at the end. */
    public int nextFree(int block) {
        int following = nodes[at(block < 0 ? blocks : block, NEXT)];
        return following == blocks ? -1 : following;
    }

    private void insertAfter(int before, int block) {
        int after = nodes[at(before, NEXT)];
        nodes[at(before, NEXT)] = block;
        nodes[at(block, PREVIOUS)] = before;
        nodes[at(block, NEXT)] = after;
        nodes[at(after, PREVIOUS)] = block;
        free++;
    }

    private void unlink(int block) {
        int before = nodes[at(block, PREVIOUS)];
        int after = nodes[at(block, NEXT)];
        nodes[at(before, NEXT)] = after;
        nodes[at(after, PREVIOUS)] = before;
        free--;
    }
}
