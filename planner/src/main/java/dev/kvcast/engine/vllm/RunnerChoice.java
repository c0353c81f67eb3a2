package dev.kvcast.engine.vllm;

import dev.kvcast.model.FeedForward;
import dev.kvcast.model.ModelConfig;

/**
 * Which of vLLM's two model runners serves a model ({@code VllmConfig.use_v2_model_runner}). The second arrived model by
 * model: Qwen3 dense (0.22), Llama and Mistral (0.23), some mixtures of experts and quantized models (0.24), all dense
 * models (0.25.1), everything (0.29).
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
        return !unsupported && byDefault(version, model);
    }

    private static boolean byDefault(VllmVersion version, ModelConfig model) {
        if (version.atLeast(29, 0)) {
            return true;
        }
        if (!version.atLeast(22, 0) || Attentions.recurrent(model)) {
            return false;
        }
        boolean dense = isDense(model);
        if (version.atLeast(25, 1)) {
            return dense;
        }
        String architecture = model.architecture();
        boolean qwen = architecture.equals("Qwen3ForCausalLM");
        boolean llama = architecture.equals("LlamaForCausalLM") || architecture.equals("MistralForCausalLM");
        boolean plain = version.atLeast(24, 0) || !model.quantization().quantized();
        return dense && plain && (qwen || (llama && version.atLeast(23, 0)));
    }

    private static boolean isDense(ModelConfig model) {
        return model.layers().stream().noneMatch(layer -> layer.feedForward() instanceof FeedForward.Experts);
    }
}
