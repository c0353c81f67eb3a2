package dev.kvcast.engine.vllm;

import java.util.Map;

/**
 * Flags about other inputs than text ({@code config/multimodal.py}).
 *
 * @param languageModelOnly {@code --language-model-only}: no tower is loaded or profiled
 * @param limits {@code --limit-mm-per-prompt}, items per prompt by modality
 * @param skipProfiling {@code --skip-mm-profiling}
 * @param encoderOnly {@code --mm-encoder-only}: no language model and no KV cache
 * @param encoderReplicated whether every rank holds the whole tower ({@code --mm-encoder-tp-mode data})
 * @param processorArguments {@code --mm-processor-kwargs}
 */
public record MultimodalOptions(
        boolean languageModelOnly,
        Map<String, Integer> limits,
        boolean skipProfiling,
        boolean encoderOnly,
        boolean encoderReplicated,
        Map<String, Object> processorArguments) {

    /** Copies the maps. */
    public MultimodalOptions {
        limits = Map.copyOf(limits);
        processorArguments = Map.copyOf(processorArguments);
    }

    /** Whether no item of any of these modalities is allowed, which keeps the tower loaded but not profiled. */
    public boolean allowsNone(Iterable<String> modalities) {
        for (String modality : modalities) {
            if (limits.getOrDefault(modality, 1) > 0) {
                return false;
            }
        }
        return true;
    }
}
