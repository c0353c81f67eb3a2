package dev.kvcast.engine;

import java.util.List;

/**
 * The KV pool an engine builds, in blocks.
 *
 * @param blocks blocks in the pool, reserved ones included
 * @param blocksLow 90% lower end of {@code blocks}
 * @param blocksHigh 90% upper end
 * @param reservedBlocks blocks no request can use (vLLM's null block)
 * @param blockSize tokens per block that the engine reports (the smallest over groups where it says so)
 * @param bytesPerBlock bytes of one block over all layers of one rank
 * @param groups block tables
 * @param maxModelLen longest sequence served
 * @param blocksPerRequest blocks that one request of {@code maxModelLen} is charged
 * @param tokens tokens as this engine version prints them at boot
 * @param tokensLow 90% lower end of {@code tokens}
 * @param tokensHigh 90% upper end
 * @param maxConcurrency concurrency as this engine version prints it
 */
public record KvPool(
        long blocks,
        long blocksLow,
        long blocksHigh,
        int reservedBlocks,
        int blockSize,
        long bytesPerBlock,
        List<KvGroup> groups,
        long maxModelLen,
        long blocksPerRequest,
        long tokens,
        long tokensLow,
        long tokensHigh,
        double maxConcurrency) {

    /** Copies the list. */
    public KvPool {
        groups = List.copyOf(groups);
    }

    /** Blocks that requests can hold. */
    public long usableBlocks() {
        return Math.max(0, blocks - reservedBlocks);
    }

    /** Blocks that let one request grow to {@code storedTokens} without ever waiting for one. */
    public long guaranteedBlocks(long storedTokens) {
        long sum = 0;
        for (KvGroup group : groups) {
            sum += group.rule().guaranteed(storedTokens);
        }
        return sum;
    }

    /** Blocks one request holds steadily once {@code storedTokens} are stored. */
    public long steadyBlocks(long storedTokens) {
        long sum = 0;
        for (KvGroup group : groups) {
            sum += group.rule().peak(storedTokens);
        }
        return sum;
    }

    /** Blocks a request of {@code tokens} is charged over all groups. */
    public long chargedBlocks(long tokens) {
        long sum = 0;
        for (KvGroup group : groups) {
            sum += group.rule().charged(tokens);
        }
        return sum;
    }

    /** Blocks a request holds for itself when its first {@code sharedTokens} are shared. */
    public long privateBlocks(long storedTokens, long sharedTokens) {
        long sum = 0;
        for (KvGroup group : groups) {
            sum += group.rule().privatePeak(storedTokens, sharedTokens);
        }
        return sum;
    }

    /** Bytes that one more token of a long sequence costs, states and windows aside. */
    public double bytesPerToken() {
        double sum = 0;
        for (KvGroup group : groups) {
            if (group.rule() instanceof BlockRule.PerToken perToken) {
                sum += (double) bytesPerBlock / perToken.blockSize();
            }
        }
        return sum;
    }
}
