package dev.kvcast.engine;

/**
 * How many blocks one request holds in one KV-cache group. Rules follow vLLM's
 * {@code v1/core/single_type_kv_cache_manager.py} and {@code v1/kv_cache_interface.py}; other engines map onto them.
 */
public sealed interface BlockRule {

    /**
     * Blocks that the engine charges a request of {@code maxTokens} at boot, which is what its printed capacity means.
     *
     * @param maxTokens longest sequence in tokens
     */
    long charged(long maxTokens);

    /**
     * Most blocks the request really holds at once while it grows to {@code storedTokens}.
     *
     * @param storedTokens tokens whose keys and values are stored at the end
     */
    long peak(long storedTokens);

    /**
     * Blocks that make sure the request never waits for one, short-lived extra blocks included.
     *
     * @param storedTokens tokens whose keys and values are stored at the end
     */
    default long guaranteed(long storedTokens) {
        return peak(storedTokens);
    }

    /**
     * Blocks the request holds for itself when its first {@code sharedTokens} are shared with others.
     *
     * @param storedTokens tokens stored at the end
     * @param sharedTokens leading tokens that other requests hold too
     */
    long privatePeak(long storedTokens, long sharedTokens);

    /**
     * One block per {@code blockSize} tokens, for ever.
     *
     * @param blockSize tokens of the request that one block covers, context parallelism included
     */
    record PerToken(int blockSize) implements BlockRule {
        @Override
        public long charged(long maxTokens) {
            return ceilDiv(maxTokens, blockSize);
        }

        @Override
        public long peak(long storedTokens) {
            return ceilDiv(storedTokens, blockSize);
        }

        @Override
        public long privatePeak(long storedTokens, long sharedTokens) {
            return peak(storedTokens) - Math.min(sharedTokens, storedTokens) / blockSize;
        }
    }

    /**
     * Blocks of a sliding window.
     *
     * @param windowTokens window, draft retention included
     * @param inFlightTokens tokens that may be scheduled and not yet settled
     */
    record Window(int blockSize, long windowTokens, long inFlightTokens) implements BlockRule {
        @Override
        public long charged(long maxTokens) {
            return ceilDiv(Math.min(windowTokens - 1 + inFlightTokens, maxTokens), blockSize) + 1;
        }

        @Override
        public long peak(long storedTokens) {
            return Math.min(ceilDiv(storedTokens, blockSize), charged(Long.MAX_VALUE / 2));
        }

        @Override
        public long privatePeak(long storedTokens, long sharedTokens) {
            return peak(storedTokens);
        }
    }

    /**
     * Blocks of a local attention chunk.
     *
     * @param chunkTokens chunk length
     * @param inFlightTokens tokens that may be scheduled and not yet settled
     */
    record Chunk(int blockSize, long chunkTokens, long inFlightTokens) implements BlockRule {
        @Override
        public long charged(long maxTokens) {
            return ceilDiv(Math.min(chunkTokens + inFlightTokens, maxTokens), blockSize);
        }

        @Override
        public long peak(long storedTokens) {
            return Math.min(ceilDiv(storedTokens, blockSize), ceilDiv(chunkTokens + inFlightTokens, blockSize));
        }

        @Override
        public long privatePeak(long storedTokens, long sharedTokens) {
            return peak(storedTokens);
        }
    }

    /**
     * A fixed number of state blocks.
     *
     * @param steadyBlocks blocks held all the time
     * @param chargedBlocks blocks the engine reserves, transients included
     */
    record State(long steadyBlocks, long chargedBlocks) implements BlockRule {
        @Override
        public long charged(long maxTokens) {
            return chargedBlocks;
        }

        @Override
        public long peak(long storedTokens) {
            return steadyBlocks;
        }

        @Override
        public long guaranteed(long storedTokens) {
            return chargedBlocks;
        }

        @Override
        public long privatePeak(long storedTokens, long sharedTokens) {
            return steadyBlocks;
        }
    }

    /**
     * One state per block of tokens (mamba cache mode {@code all}).
     *
     * @param speculativeBlocks extra blocks for draft tokens
     */
    record StatePerBlock(int blockSize, long speculativeBlocks) implements BlockRule {
        @Override
        public long charged(long maxTokens) {
            return ceilDiv(maxTokens, blockSize) + speculativeBlocks;
        }

        @Override
        public long peak(long storedTokens) {
            return ceilDiv(storedTokens, blockSize) + speculativeBlocks;
        }

        @Override
        public long privatePeak(long storedTokens, long sharedTokens) {
            return peak(storedTokens) - Math.min(sharedTokens, storedTokens) / blockSize;
        }
    }

    private static long ceilDiv(long value, long divisor) {
        return (value + divisor - 1) / divisor;
    }
}
