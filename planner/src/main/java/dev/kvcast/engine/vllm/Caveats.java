package dev.kvcast.engine.vllm;

import dev.kvcast.model.DataType;
import dev.kvcast.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;

/** What the flags ask for and the numbers leave out. */
final class Caveats {

    private Caveats() {}

    static List<String> of(ModelConfig model, VllmOptions options) {
        List<String> caveats = new ArrayList<>();
        if (options.memory().cpuOffloadGib() > 0) {
            caveats.add("speeds leave out that --cpu-offload-gb reads weights from host memory in every step: "
                    + "the real ones are far lower");
        }
        if (options.speculative().isPresent()) {
            caveats.add("speeds are those of steps without accepted drafts; speculation makes single requests faster");
        }
        if (options.model().dtype().filter(DataType.FLOAT32::equals).isPresent()
                && !model.quantization().quantized()) {
            caveats.add("weights are counted as the checkpoint stores them; --dtype float32 takes twice the memory");
        }
        options.model()
                .quantization()
                .filter(method -> !model.quantization().quantized())
                .ifPresent(method ->
                        caveats.add("weights are counted as the checkpoint stores them, not as --quantization " + method
                                + " does; --weights says how"));
        List<String> overrides = options.model().hfOverrides().keySet().stream()
                .filter(key -> !key.startsWith("rope"))
                .sorted()
                .toList();
        if (!overrides.isEmpty()) {
            caveats.add("--hf-overrides of " + String.join(", ", overrides)
                    + " is not applied; write the config to a folder and name that as the model");
        }
        return caveats;
    }
}
