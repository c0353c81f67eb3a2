package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;

/** Full attention: every block is kept, and every prefix of a cached prefix is cached ({@code FullAttentionManager}). */
final class FullGroup extends BlockGroup {

    FullGroup(int id, CacheGroup spec, BlockPool pool, PrefixHashes hashes, int schedulerBlock) {
        super(id, spec, pool, hashes, schedulerBlock);
    }

    @Override
    int lookup(LookupSet set, int slot, int maxTokens, boolean dropLast, int alignment) {
        set.truncate(0);
        boolean fine = alignment < blockSize && blockSize % alignment == 0;
        int blocks = 0;
        int most = maxTokens / blockSize;
        while (blocks < most && set.probe(slot, (blocks + 1) * units - 1)) {
            set.take();
            blocks++;
        }
        int tokens = blocks * blockSize;
        if (fine) {
            tokens = extendIntoBlock(set, slot, maxTokens, blocks, alignment);
        }
        if (dropLast && tokens > 0) {
            tokens -= Math.min(alignment, blockSize);
        }
        tokens -= tokens % alignment;
        set.truncate(ceilDiv(tokens, blockSize));
        return tokens;
    }

    /** Looks for a prefix that ends inside the first block not cached as a whole, the longest first. */
    private int extendIntoBlock(LookupSet set, int slot, int maxTokens, int blocks, int alignment) {
        int first = blocks * units;
        int end = Math.min(first + units - 1, maxTokens / alignment);
        for (int i = end - 1; i >= first; i--) {
            if (set.probe(slot, i)) {
                set.take();
                return (i + 1) * alignment;
            }
        }
        return blocks * blockSize;
    }

    @Override
    void publish(int slot, PublishedRequest request, int tokens, Retention retention) {
        super.publish(slot, request, tokens, retention);
        if (units > 1) {
            publishPromptEnd(slot, request, tokens);
        }
    }

    /** Publishes the end of the prompt inside its block ({@code _cache_partial_tail_block}). */
    private void publishPromptEnd(int slot, PublishedRequest request, int tokens) {
        int unit = hashes.unit();
        int limit = draft ? request.prompt : request.prompt - 1;
        int boundary = limit / unit * unit;
        int index = boundary / blockSize;
        if (boundary == 0 || boundary > tokens || boundary % blockSize == 0 || index >= length[slot]) {
            return;
        }
        PartialBlocks.publish(this, slot, table[slot][index], boundary, false);
    }
}
