package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.IntList;
import java.util.Arrays;

/** Attention to an encoder's output, which is stored once and never shared ({@code CrossAttentionManager}). */
final class CrossGroup extends BlockGroup {

    private int[] encoderTokens = new int[16];

    CrossGroup(int id, CacheGroup spec, BlockPool pool, PrefixHashes hashes, int schedulerBlock) {
        super(id, spec, pool, hashes, schedulerBlock);
    }

    /** Says how long the encoder's output of the slot's request is. */
    void expect(int slot, int tokens) {
        encoderTokens[slot] = tokens;
    }

    @Override
    void grow(int capacity) {
        super.grow(capacity);
        encoderTokens = Arrays.copyOf(encoderTokens, capacity);
    }

    @Override
    int needed(int slot, int tokens, IntList hits, int computed, int mainTokens, boolean admission, int prefillEnd) {
        return missing(slot, tokens);
    }

    @Override
    int missing(int slot, int tokens) {
        return Math.max(0, ceilDiv(encoderTokens[slot], blockSize) - length[slot]);
    }

    @Override
    void extend(int slot, int tokens, int mainTokens) {
        super.extend(slot, encoderTokens[slot], encoderTokens[slot]);
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
