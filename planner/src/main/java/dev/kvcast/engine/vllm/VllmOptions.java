package dev.kvcast.engine.vllm;

import java.util.List;
import java.util.Optional;

/**
 * What a launch line asks of vLLM, typed and checked, defaults not applied.
 *
 * @param speculative speculative decoding, empty without
 * @param configFile {@code --config}, whose flags the caller puts before the line's own
 * @param given flags on the line, in order
 * @param warnings unknown flags and what was assumed
 */
public record VllmOptions(
        ModelOptions model,
        MemoryOptions memory,
        CacheOptions cache,
        SchedulerOptions scheduler,
        ParallelOptions parallel,
        CompilationOptions compilation,
        Optional<SpeculativeOptions> speculative,
        MultimodalOptions multimodal,
        LoraOptions lora,
        VllmEnvironment environment,
        Optional<String> configFile,
        List<VllmFlag> given,
        List<String> warnings) {

    /** Copies the lists. */
    public VllmOptions {
        given = List.copyOf(given);
        warnings = List.copyOf(warnings);
    }
}
