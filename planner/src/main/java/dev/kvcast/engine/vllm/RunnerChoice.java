package dev.kvcast.engine.vllm;

import dev.kvcast.model.FeedForward;
import dev.kvcast.model.ModelConfig;

/**
 * Which of vLLM's two model runners serves a model ({@code VllmConfig.use_v2_model_runner}). The second arrived model by
 * model: unquantized Qwen3 (0.22), Llama and Mistral (0.23), every dense text model with full attention that is not AWQ
 * (0.25.1), DeepSeek-V4 (0.27), everything (0.29).
 */
final class RunnerChoice {

    private RunnerChoice() {}

    /** Whether the second runner serves this model with these options. */
    static boolean second(VllmVersion version, ModelConfig model, VllmOptions options) {
        if (options.environment().secondRunner().isPresent()) {
            return options.environment().secondRunner().get();
        }
        boolean unsupported =
                options.speculative().map(SpeculativeOptions::needsFirstRunner).orElse(false)
                        || options.parallel().microBatches();
        return !unsupported && byDefault(version, model, options);
    }

    private static boolean byDefault(VllmVersion version, ModelConfig model, VllmOptions options) {
        if (version.atLeast(29, 0)) {
            return true;
        }
        if (Attentions.compressed(model)) {
            // DeepSeek-V4: since 0.27, and with DSpark since that exists.
            boolean dspark = options.speculative()
                    .map(drafts -> drafts.method().equals("dspark"))
                    .orElse(false);
            return dspark || version.atLeast(27, 0);
        }
        boolean awq = model.quantization().method().contains("awq");
        boolean plain =
                isDense(model) && Attentions.fullOnly(model) && !model.encoder().present() && !awq;
        if (!plain || !version.atLeast(22, 0)) {
            return false;
        }
        if (version.atLeast(25, 1)) {
            return true;
        }
        String architecture = model.architecture();
        boolean qwen = architecture.equals("Qwen3ForCausalLM");
        boolean llama = architecture.equals("LlamaForCausalLM") || architecture.equals("MistralForCausalLM");
        return !model.quantization().quantized() && (qwen || (llama && version.atLeast(23, 0)));
    }

    private static boolean isDense(ModelConfig model) {
        return model.layers().stream().noneMatch(layer -> layer.feedForward() instanceof FeedForward.Experts);
    }
}
