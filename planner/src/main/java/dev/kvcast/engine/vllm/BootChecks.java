package dev.kvcast.engine.vllm;

import dev.kvcast.engine.BootFailure;
import dev.kvcast.engine.vllm.VllmSettings.Graphs;
import java.util.Optional;

/**
 * The checks that stop a boot once memory was profiled ({@code _check_enough_kv_cache_memory},
 * {@code _auto_fit_max_model_len}, and the graph capture's check of state blocks).
 *
 * @param layout groups
 * @param settings resolved settings
 * @param stage pipeline stage of the tightest rank
 */
record BootChecks(KvLayout layout, VllmSettings settings, int stage) {

    /** Bytes that requests can use: since 0.30 the null block is left out. */
    private long checkedBytes(long poolBytes) {
        return settings.rules().nullBlockReserved() ? poolBytes - layout.bytesPerBlock(stage) : poolBytes;
    }

    /** The longest sequence: as asked, or what memory holds for {@code --max-model-len auto}; 0 when nothing fits. */
    long resolvedLength(long poolBytes) {
        long asked = settings.batch().maxModelLen();
        return settings.batch().lengthFromMemory() && !layout.groups().isEmpty()
                ? layout.longestSequence(checkedBytes(poolBytes), asked)
                : asked;
    }

    /** The first check that fails with such a pool. */
    Optional<BootFailure> failure(long poolBytes, long maxModelLen) {
        long checked = checkedBytes(poolBytes);
        if (layout.groups().isEmpty()) {
            return Optional.empty();
        }
        if (checked <= 0) {
            return Optional.of(new BootFailure(
                    "no memory for cache blocks",
                    "No available memory for the cache blocks: weights and the profiling run leave "
                            + MemoryPlanner.gib(poolBytes)
                            + "; raise --gpu-memory-utilization, shrink the model or add GPUs",
                    0));
        }
        if (maxModelLen == 0) {
            return Optional.of(new BootFailure(
                    "auto length finds no room", "Cannot auto-fit max_model_len: not even one token fits", 0));
        }
        long needed = layout.chargedBytes(maxModelLen, stage);
        if (needed > checked) {
            long longest = layout.longestSequence(checked, maxModelLen);
            return Optional.of(new BootFailure(
                    "max_model_len does not fit",
                    "To serve at least one request with max_model_len " + maxModelLen + ", "
                            + MemoryPlanner.gib(needed) + " of KV cache is needed and " + MemoryPlanner.gib(checked)
                            + " is available; the longest that fits is " + longest,
                    longest));
        }
        return stateBlocks(layout.blocks(poolBytes, stage));
    }

    /** Full graphs need one state block per sequence, so a small pool cannot serve many sequences of a hybrid. */
    private Optional<BootFailure> stateBlocks(long blocks) {
        boolean states = layout.groups().stream().anyMatch(group -> group.representative() instanceof KvSpec.State);
        Graphs graphs = settings.graphs();
        int sequences = settings.batch().maxSequences();
        if (!states || !graphs.mode().fullDecode() || sequences <= blocks) {
            return Optional.empty();
        }
        return Optional.of(new BootFailure(
                "max_num_seqs exceeds state blocks",
                "max_num_seqs (" + sequences + ") exceeds available Mamba cache blocks (" + blocks
                        + "); lower it to --max-num-seqs " + blocks + " or less",
                0));
    }
}
