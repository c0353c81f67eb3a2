package dev.kvcast.engine.vllm;

import java.util.List;
import java.util.Optional;

/**
 * Environment switches that change memory or scheduling ({@code envs.py}).
 *
 * @param graphEstimate {@code VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS}, empty for the default
 * @param secondRunner {@code VLLM_USE_V2_MODEL_RUNNER}, empty for the default
 * @param layerPartition {@code VLLM_PP_LAYER_PARTITION}, layers per pipeline stage, empty for the default
 * @param longModelLength {@code VLLM_ALLOW_LONG_MAX_MODEL_LEN}
 * @param expandableSegments whether {@code PYTORCH_CUDA_ALLOC_CONF} turns expandable segments on
 */
public record VllmEnvironment(
        Optional<Boolean> graphEstimate,
        Optional<Boolean> secondRunner,
        List<Integer> layerPartition,
        boolean longModelLength,
        boolean expandableSegments) {

    /** Nothing set. */
    public static final VllmEnvironment NONE =
            new VllmEnvironment(Optional.empty(), Optional.empty(), List.of(), false, false);

    /** Copies the list. */
    public VllmEnvironment {
        layerPartition = List.copyOf(layerPartition);
    }
}
