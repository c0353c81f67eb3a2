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
        return caveats;
    }
}
