package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads vLLM's environment switches. */
final class EnvironmentReader {

    private static final String PARTITION = "VLLM_PP_LAYER_PARTITION";

    private EnvironmentReader() {}

    static VllmEnvironment read(Map<String, String> environment) {
        String allocator =
                environment.getOrDefault("PYTORCH_CUDA_ALLOC_CONF", environment.getOrDefault("PYTORCH_ALLOC_CONF", ""));
        return new VllmEnvironment(
                toggle(environment, "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS"),
                toggle(environment, "VLLM_USE_V2_MODEL_RUNNER"),
                partition(environment.getOrDefault(PARTITION, "")),
                toggle(environment, "VLLM_ALLOW_LONG_MAX_MODEL_LEN").orElse(false),
                allocator.toLowerCase(Locale.ROOT).contains("expandable_segments:true"));
    }

    private static Optional<Boolean> toggle(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "").strip().toLowerCase(Locale.ROOT);
        return switch (value) {
            case "" -> Optional.empty();
            case "1", "true", "yes", "on" -> Optional.of(true);
            case "0", "false", "no", "off" -> Optional.of(false);
            default ->
                throw InputException.badInput(name + " is '" + Printable.shortened(value) + "'; expected 0 or 1");
        };
    }

    private static List<Integer> partition(String text) {
        List<Integer> layers = new ArrayList<>();
        if (text.isBlank()) {
            return layers;
        }
        for (String part : text.split(",", -1)) {
            OptionalLong count = SizeText.integer(part);
            if (count.isEmpty() || count.getAsLong() < 1 || count.getAsLong() > 100_000) {
                throw InputException.badInput(
                        PARTITION + " is '" + Printable.shortened(text) + "'; expected layers per stage such as 16,32");
            }
            layers.add((int) count.getAsLong());
        }
        return layers;
    }
}
