package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;

/**
 * How decoder layers are dealt to pipeline stages ({@code get_pp_indices} in vLLM's {@code distributed/utils.py}): even
 * shares, the remainder one each to the stages before the last.
 *
 * @param starts first layer of each stage
 * @param layers layers in all
 */
record PipelineStages(List<Integer> starts, int layers) {

    /**
     * Deals layers.
     *
     * @param partition layers per stage from {@code VLLM_PP_LAYER_PARTITION}, empty for the default
     */
    static PipelineStages of(int layers, int stages, List<Integer> partition) {
        List<Integer> sizes = partition.isEmpty() ? evenly(layers, stages) : partition;
        int sum = sizes.stream().mapToInt(Integer::intValue).sum();
        if (sizes.size() != stages || sum != layers) {
            throw InputException.badInput("VLLM_PP_LAYER_PARTITION " + partition + " must name " + stages
                    + " stages that add up to " + layers + " layers");
        }
        List<Integer> starts = new ArrayList<>(stages);
        int start = 0;
        for (int size : sizes) {
            starts.add(start);
            start += size;
        }
        return new PipelineStages(List.copyOf(starts), layers);
    }

    private static List<Integer> evenly(int layers, int stages) {
        if (stages > layers) {
            throw InputException.badInput(
                    "--pipeline-parallel-size " + stages + " exceeds the model's " + layers + " layers");
        }
        List<Integer> sizes = new ArrayList<>(stages);
        for (int i = 0; i < stages; i++) {
            sizes.add(layers / stages);
        }
        for (int i = 2; i < layers % stages + 2; i++) {
            sizes.set(stages - i, sizes.get(stages - i) + 1);
        }
        return sizes;
    }

    /** Stages. */
    int count() {
        return starts.size();
    }

    /** One past the last layer of a stage. */
    int end(int stage) {
        return stage + 1 < starts.size() ? starts.get(stage + 1) : layers;
    }

    /** First caching entry of each stage, given the decoder layer of each entry (draft layers go to the last stage). */
    List<Integer> entryStarts(List<Integer> decoderLayers) {
        List<Integer> result = new ArrayList<>(starts.size());
        for (int start : starts) {
            int entry = 0;
            while (entry < decoderLayers.size() && decoderLayers.get(entry) < start) {
                entry++;
            }
            result.add(entry);
        }
        return result;
    }
}
