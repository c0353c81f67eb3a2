package dev.kvcast.engine.vllm;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * {@code --speculative-config} ({@code config/speculative.py}).
 *
 * @param method method in vLLM's current name ({@code mtp} for every model's own module)
 * @param tokens draft tokens per step, empty when the draft model decides
 * @param model draft model or head
 * @param draftTensorParallel ranks of the draft model
 * @param quantization quantization of the draft model
 * @param parallelDrafting whether all draft tokens come from one pass
 * @param padded whether draft batches are padded, which asynchronous scheduling needs
 * @param ownVocabulary whether the draft model has another vocabulary
 */
public record SpeculativeOptions(
        String method,
        OptionalInt tokens,
        Optional<String> model,
        OptionalInt draftTensorParallel,
        Optional<String> quantization,
        boolean parallelDrafting,
        boolean padded,
        boolean ownVocabulary) {

    private static final Set<String> ASYNCHRONOUS =
            Set.of("mtp", "eagle", "eagle3", "extract_hidden_states", "dflash", "dspark", "ngram_gpu", "draft_model");

    private static final Set<String> FIRST_RUNNER_ONLY = Set.of("suffix", "medusa", "mlp_speculator", "custom_class");

    /** Whether asynchronous scheduling works with it. */
    public boolean asynchronous() {
        return ASYNCHRONOUS.contains(method) && padded;
    }

    /** Whether the second model runner cannot run it. */
    public boolean needsFirstRunner() {
        boolean ownDrafter = method.equals("dflash") || method.equals("dspark");
        return FIRST_RUNNER_ONLY.contains(method) || (parallelDrafting && !ownDrafter) || ownVocabulary;
    }

    /** Whether the drafter writes KV entries of its own ahead of the target ({@code num_lookahead_tokens}). */
    public boolean keepsOwnCache() {
        return ASYNCHRONOUS.contains(method) && !method.equals("ngram_gpu");
    }
}
