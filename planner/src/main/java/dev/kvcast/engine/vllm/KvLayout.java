package dev.kvcast.engine.vllm;

import dev.kvcast.engine.BlockRule;
import dev.kvcast.engine.KvGroup;
import dev.kvcast.engine.vllm.KvSpec.Attention;
import java.util.ArrayList;
import java.util.List;

/**
 * The groups of one model under one configuration, and the block arithmetic that vLLM does with them
 * ({@code v1/core/kv_cache_utils.py}). All sizes are per rank.
 *
 * @param groups global groups, before pipeline stages take their share
 * @param stageStarts first layer of each pipeline stage; one entry, 0, without pipeline parallelism
 * @param cachingLayers layers that were grouped
 * @param charge what a request is charged at boot
 */
public record KvLayout(List<LayerGroup> groups, List<Integer> stageStarts, int cachingLayers, RequestCharge charge) {

    /** Copies the lists. */
    public KvLayout {
        groups = List.copyOf(groups);
        stageStarts = List.copyOf(stageStarts);
    }

    /**
     * Settings that decide how many blocks a request is charged.
     *
     * @param inFlightTokens tokens that may be scheduled and not yet settled
     * @param decodeContextRanks ranks that share full-attention tokens
     * @param stateMode which snapshots of recurrent states are kept
     */
    public record RequestCharge(long inFlightTokens, int decodeContextRanks, StateMode stateMode) {}

    /** {@code mamba_cache_mode}. */
    public enum StateMode {
        NONE,
        ALIGN,
        ALL
    }

    /** Bytes of one block over the layers of a pipeline stage. */
    public long bytesPerBlock(int stage) {
        long largest = 0;
        for (LayerGroup group : groups) {
            largest = Math.max(largest, stageShare(group, stage).bytesPerBlock());
        }
        return largest;
    }

    /** Pipeline stages. */
    public int stages() {
        return stageStarts.size();
    }

    private LayerGroup stageShare(LayerGroup group, int stage) {
        if (stageStarts.size() == 1) {
            return group;
        }
        int end = stage + 1 < stageStarts.size() ? stageStarts.get(stage + 1) : cachingLayers;
        return group.within(stageStarts.get(stage), end);
    }

    /** Blocks that {@code availableBytes} on a rank of a stage hold. An attention-free model has one (null) block. */
    public long blocks(long availableBytes, int stage) {
        long bytesPerBlock = bytesPerBlock(stage);
        return bytesPerBlock == 0 ? 1 : Math.max(0, availableBytes) / bytesPerBlock;
    }

    /** Blocks one request of {@code maxTokens} is charged over all groups. */
    public long chargedBlocks(long maxTokens) {
        long sum = 0;
        for (LayerGroup group : groups) {
            sum += rule(group.representative()).charged(maxTokens);
        }
        return sum;
    }

    /** Bytes one request of {@code maxTokens} is charged on a rank of a stage. */
    public long chargedBytes(long maxTokens, int stage) {
        long blocks = 0;
        for (LayerGroup group : groups) {
            LayerGroup share = stageShare(group, stage);
            if (!share.layers().isEmpty()) {
                blocks += rule(share.representative()).charged(maxTokens);
            }
        }
        return Math.multiplyExact(blocks, bytesPerBlock(stage));
    }

    /**
     * Longest sequence that {@code availableBytes} on every stage can hold alone.
     *
     * @param limit longest length to try
     * @return 0 when not even one token fits
     */
    public long longestSequence(long availableBytes, long limit) {
        long longest = 0;
        long low = 1;
        long high = limit;
        while (low <= high) {
            long middle = low + (high - low) / 2;
            if (fits(middle, availableBytes)) {
                longest = middle;
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return longest;
    }

    private boolean fits(long tokens, long availableBytes) {
        for (int stage = 0; stage < stages(); stage++) {
            if (chargedBytes(tokens, stage) > availableBytes) {
                return false;
            }
        }
        return true;
    }

    /** Smallest block size over the groups, which is what vLLM reports; 0 without groups. */
    public int smallestBlockSize() {
        return groups.stream().mapToInt(LayerGroup::blockSize).min().orElse(0);
    }

    /** The groups in the engine-independent form. */
    public List<KvGroup> kvGroups() {
        List<KvGroup> result = new ArrayList<>(groups.size());
        for (LayerGroup group : groups) {
            KvSpec spec = group.representative();
            result.add(new KvGroup(kind(spec), group.layers().size(), group.blockSize(), spec.pageBytes(), rule(spec)));
        }
        return result;
    }

    private static KvGroup.Kind kind(KvSpec spec) {
        if (spec instanceof Attention attention) {
            return switch (attention.reach()) {
                case WINDOW -> KvGroup.Kind.SLIDING;
                case CHUNK -> KvGroup.Kind.CHUNKED;
                case ALL -> attention.latent() ? KvGroup.Kind.LATENT : KvGroup.Kind.FULL;
            };
        }
        return spec instanceof KvSpec.State ? KvGroup.Kind.STATE : KvGroup.Kind.CROSS;
    }

    /** How many blocks a request holds and is charged in a group of such layers. */
    public BlockRule rule(KvSpec spec) {
        if (spec instanceof KvSpec.State state) {
            int extra = state.speculativeBlocks();
            return switch (charge.stateMode()) {
                case NONE -> new BlockRule.State(1 + extra, 1 + extra);
                case ALIGN -> new BlockRule.State(1 + extra, 2 + extra);
                case ALL -> new BlockRule.StatePerBlock(state.blockSize(), extra);
            };
        }
        if (spec instanceof KvSpec.Cross cross) {
            long blocks = (cross.encoderTokens() + cross.blockSize() - 1) / cross.blockSize();
            return new BlockRule.State(blocks, blocks);
        }
        Attention attention = (Attention) spec;
        return switch (attention.reach()) {
            case ALL -> new BlockRule.PerToken(attention.blockSize() * charge.decodeContextRanks());
            case WINDOW ->
                new BlockRule.Window(
                        attention.blockSize(),
                        attention.reachTokens() + attention.retainedTokens(),
                        charge.inFlightTokens());
            case CHUNK -> new BlockRule.Chunk(attention.blockSize(), attention.reachTokens(), charge.inFlightTokens());
        };
    }
}
