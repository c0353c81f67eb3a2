package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.TokenHash;

/** Prefixes that end inside a block ({@code cache_partial_block} in {@code v1/core/block_pool.py}). */
final class PartialBlocks {

    /** No key was entered. */
    static final long NO_KEY = 0;

    private PartialBlocks() {}

    /**
     * Makes a block findable under a prefix that ends inside it.
     *
     * @param tokens length of the prefix, a multiple of the hash unit
     * @param replace whether the block's contents were replaced, so that its other keys are void
     * @return the key, or {@link #NO_KEY} for the null block
     */
    static long publish(BlockGroup group, int slot, int block, int tokens, boolean replace) {
        if (block == BlockPool.NULL_BLOCK) {
            return NO_KEY;
        }
        BlockPool pool = group.pool;
        long hash = group.hashes.at(slot, tokens / group.hashes.unit() - 1);
        if (hash == PrefixHashes.PRIVATE) {
            return NO_KEY;
        }
        long key = TokenHash.key(hash, group.id);
        boolean known = pool.isKeyed(block) && (pool.primaryKey(block) == key || pool.contains(key, block));
        boolean outgrown = !known && pool.isKeyed(block) && pool.prefixTokens(block) < tokens;
        if (replace || outgrown) {
            pool.forget(block);
        }
        pool.publish(block, key, tokens);
        return key;
    }
}
