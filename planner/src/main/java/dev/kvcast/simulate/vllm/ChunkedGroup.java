package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;

/** Chunked local attention: only the current chunk is read ({@code ChunkedLocalAttentionManager}). */
final class ChunkedGroup extends BlockGroup {

    private final int chunk;
    private final int cap;

    ChunkedGroup(int id, CacheGroup spec, BlockPool pool, PrefixHashes hashes, SchedulerSettings settings) {
        super(id, spec, pool, hashes, settings.schedulerBlockSize());
        chunk = spec.reach();
        cap = ceilDiv((int) Math.min(chunk + settings.maxInFlightTokens(), settings.maxModelLen()), blockSize);
    }

    @Override
    int admissionCap() {
        return cap;
    }

    @Override
    int skippedTokens(int computed) {
        return computed / chunk * chunk;
    }

    /** Blocks before the current chunk count as cached, for they are not read. */
    @Override
    int lookup(LookupSet set, int slot, int maxTokens, boolean dropLast, int alignment) {
        int most = maxTokens / blockSize;
        int blocks = maxTokens / chunk * chunk / blockSize;
        set.fillNull(blocks);
        while (blocks < most && set.probe(slot, (blocks + 1) * units - 1)) {
            set.take();
            blocks++;
        }
        return blocks * blockSize;
    }

    @Override
    int quietSteps(int slot, int computed) {
        return stepsInside(computed);
    }
}
