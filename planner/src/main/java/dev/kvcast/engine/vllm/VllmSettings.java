package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Parallelism;
import dev.kvcast.engine.ServingLimits;
import dev.kvcast.model.DataType;
import java.util.List;

/**
 * What one launch line comes to for one model, device and release: every default applied.
 *
 * @param rules rules of the release
 * @param dtype type of unquantized weights and activations
 * @param utilization share of the device's memory
 * @param batch limits of one step
 * @param cache how the KV cache is kept
 * @param steps how steps are run
 * @param graphs CUDA graphs
 * @param parallelism how ranks divide the model
 * @param speculativeTokens draft tokens per step, 0 without speculation
 * @param towerLoaded whether a multimodal tower is loaded
 * @param towerProfiled whether the profiling run includes it
 * @param warnings what the user should know
 */
public record VllmSettings(
        VllmRules rules,
        DataType dtype,
        double utilization,
        Batch batch,
        Cache cache,
        Steps steps,
        Graphs graphs,
        Parallelism parallelism,
        int speculativeTokens,
        boolean towerLoaded,
        boolean towerProfiled,
        List<String> warnings) {

    /** Copies the list. */
    public VllmSettings {
        warnings = List.copyOf(warnings);
    }

    /**
     * Limits of a step.
     *
     * @param maxModelLen longest sequence in tokens, an upper bound when {@code lengthFromMemory}
     * @param lengthFromMemory whether memory decides the longest sequence at boot
     * @param maxSequences most requests at once
     * @param maxBatchedTokens tokens of one step
     * @param chunkedPrefill whether long prompts are split
     * @param tokensStated whether {@code maxBatchedTokens} was given rather than taken from the device's default
     */
    public record Batch(
            long maxModelLen,
            boolean lengthFromMemory,
            int maxSequences,
            int maxBatchedTokens,
            boolean chunkedPrefill,
            boolean tokensStated) {}

    /**
     * How the KV cache is kept.
     *
     * @param dtype KV-cache type in vLLM's spelling, {@code auto} where the model's own type is meant
     * @param prefixCaching whether prefixes are shared
     * @param stateMode which recurrent states are kept
     * @param hybridManager whether windowed layers get fewer blocks than full ones
     */
    public record Cache(String dtype, boolean prefixCaching, KvLayout.StateMode stateMode, boolean hybridManager) {}

    /**
     * How steps are run.
     *
     * @param secondRunner whether the second model runner serves
     * @param asyncScheduling whether scheduling overlaps execution
     * @param concurrentBatches batches in flight
     */
    public record Steps(boolean secondRunner, boolean asyncScheduling, int concurrentBatches) {}

    /**
     * CUDA graphs.
     *
     * @param mode which steps run from graphs
     * @param sizes captured batch sizes in tokens, ascending, empty without graphs
     * @param subtracted whether their memory is estimated and taken off the pool at boot
     */
    public record Graphs(CompilationOptions.GraphMode mode, List<Integer> sizes, boolean subtracted) {
        /** Copies the list. */
        public Graphs {
            sizes = List.copyOf(sizes);
        }

        /** Whether any step runs from a graph. */
        public boolean used() {
            return mode != CompilationOptions.GraphMode.NONE;
        }
    }

    /** Tokens that may be scheduled and not yet settled ({@code max_in_flight_tokens}). */
    public long inFlightTokens() {
        return rules.inFlightPerBatch()
                ? Math.multiplyExact((long) batch.maxBatchedTokens(), steps.concurrentBatches())
                : batch.maxBatchedTokens();
    }

    /** The engine-neutral limits, for the longest sequence that was decided. */
    public ServingLimits limits(long maxModelLen) {
        return new ServingLimits(
                maxModelLen,
                batch.maxSequences(),
                batch.maxBatchedTokens(),
                cache.prefixCaching(),
                batch.chunkedPrefill(),
                steps.asyncScheduling(),
                speculativeTokens,
                graphs.used(),
                parallelism);
    }
}
