package dev.kvcast.simulate;

/**
 * The blocks of a KV pool: reference counts and the list of free blocks in the order they will be taken
 * ({@code v1/core/block_pool.py}, {@code FreeKVCacheBlockQueue} in {@code v1/core/kv_cache_utils.py}).
 *
 * <p>A free block may still hold a cached prefix; it is taken only after those that hold none. Block 0 is the null
 * block: it fills gaps in block tables and is never handed out.
 */
public final class BlockPool {

    /** The block that stands for "none" in a block table. */
    public static final int NULL_BLOCK = 0;

    private final int blocks;
    private final PrefixCache cache;
    private final boolean caching;
    private final int[] references;
    /** Circular doubly linked list through the free blocks; index {@code blocks} is head and tail. */
    private final int[] next;

    private final int[] previous;
    private int free;
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
        references = new int[blocks];
        next = new int[blocks + 1];
        previous = new int[blocks + 1];
        for (int block = 1; block <= blocks; block++) {
            previous[block] = block == 1 ? blocks : block - 1;
            next[previous[block]] = block;
        }
        free = blocks - 1;
    }

    /** Blocks in the pool, the null block included. */
    public int blocks() {
        return blocks;
    }

    /** Free blocks, those with a cached prefix included. */
    public int free() {
        return free;
    }

    /** What the blocks hold. */
    public PrefixCache cache() {
        return cache;
    }

    /** Whether the block is free, and not the null block. */
    public boolean isFree(int block) {
        return references[block] == 0 && block != NULL_BLOCK;
    }

    /** Whether the block has one owner and holds no cached prefix. */
    public boolean isWritable(int block) {
        return block != NULL_BLOCK && references[block] == 1 && !cache.isHashed(block);
    }

    /** Takes the next free block and forgets the prefix it held. */
    public int take() {
        int block = next[blocks];
        if (block == blocks) {
            throw new IllegalStateException("no free block");
        }
        unlink(block);
        cache.remove(block);
        references[block] = 1;
        return block;
    }

    /** Adds a reference; a free block leaves the free list. */
    public void touch(int block) {
        if (isFree(block)) {
            unlink(block);
        }
        references[block]++;
    }

    /** Starts to free a group of blocks together; those that hold nothing will be taken first, in their given order. */
    public void beginRelease() {
        releaseCursor = blocks;
    }

    /** Drops a reference; the last one puts the block back into the free list. */
    public void release(int block) {
        if (block == NULL_BLOCK || --references[block] > 0) {
            return;
        }
        if (caching && cache.isHashed(block)) {
            insertAfter(previous[blocks], block);
        } else {
            insertAfter(releaseCursor, block);
            releaseCursor = block;
        }
    }

    /** The free block after {@code block}, or the first one for -1; -1 at the end. */
    public int nextFree(int block) {
        int following = next[block < 0 ? blocks : block];
        return following == blocks ? -1 : following;
    }

    private void insertAfter(int before, int block) {
        int after = next[before];
        next[before] = block;
        previous[block] = before;
        next[block] = after;
        previous[after] = block;
        free++;
    }

    private void unlink(int block) {
        int before = previous[block];
        int after = next[block];
        next[before] = after;
        previous[after] = before;
        free--;
    }
}
