package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;

/** Attention to an encoder's output, which is stored once and never shared ({@code CrossAttentionManager}). */
final class CrossGroup extends BlockGroup {

    CrossGroup(int id, CacheGroup spec, BlockPool pool, PrefixHashes hashes, int schedulerBlock) {
        super(id, spec, pool, hashes, schedulerBlock);
    }

    @Override
    void adopt(int slot, int computed) {
        // Nothing of an encoder's output is ever found in the cache.
    }

    @Override
    void publish(int slot, PublishedRequest request, int tokens, Retention retention) {
        // Encoder outputs are not shared between requests.
    }

    @Override
    int lookup(LookupSet set, int slot, int maxTokens, boolean dropLast, int alignment) {
        throw new IllegalStateException("an encoder's output has no cached prefix");
    }
}
