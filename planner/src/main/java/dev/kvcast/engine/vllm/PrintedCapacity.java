package dev.kvcast.engine.vllm;

/**
 * The two numbers that vLLM prints once the pool exists.
 *
 * @param tokens {@code GPU KV cache size}
 * @param concurrency {@code Maximum concurrency for max_model_len tokens per request}
 */
public record PrintedCapacity(long tokens, double concurrency) {

    /** What a release means by "GPU KV cache size". */
    public enum Form {
        /** {@code num_blocks // groups * smallest block size}, until 0.20.1. */
        BLOCKS_PER_GROUP,
        /** {@code concurrency * max_model_len}, since 0.20.2 (PR 41069). */
        CONCURRENCY
    }

    /**
     * What a release prints.
     *
     * @param blocks blocks in the pool
     */
    public static PrintedCapacity of(KvLayout layout, long blocks, long maxModelLen, Form form) {
        long perRequest = layout.chargedBlocks(maxModelLen);
        if (perRequest == 0) {
            return new PrintedCapacity(0, 0);
        }
        double concurrency = (double) blocks / perRequest;
        if (form == Form.CONCURRENCY) {
            return new PrintedCapacity((long) (concurrency * maxModelLen), concurrency);
        }
        long perGroup = blocks / layout.groups().size();
        long tokens = perGroup * layout.smallestBlockSize() * layout.charge().decodeContextRanks();
        return new PrintedCapacity(tokens, concurrency);
    }
}
