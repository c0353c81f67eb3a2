package dev.kvcast.model.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The architectures that a {@code model_type} implies, for configs that leave {@code architectures} out. */
final class ModelTypes {

    private static final Map<String, String> ARCHITECTURES = byModelType();

    private ModelTypes() {}

    /** The architecture of a {@code model_type}. */
    static Optional<String> architecture(String modelType) {
        return Optional.ofNullable(ARCHITECTURES.get(modelType));
    }

    private static Map<String, String> byModelType() {
        Map<String, String> table = new HashMap<>();
        String[][] rows = {
            {"llama", "LlamaForCausalLM"},
            {"mistral", "MistralForCausalLM"},
            {"mistral3", "Mistral3ForConditionalGeneration"},
            {"mixtral", "MixtralForCausalLM"},
            {"qwen2", "Qwen2ForCausalLM"},
            {"qwen2_moe", "Qwen2MoeForCausalLM"},
            {"qwen3", "Qwen3ForCausalLM"},
            {"qwen3_moe", "Qwen3MoeForCausalLM"},
            {"qwen3_next", "Qwen3NextForCausalLM"},
            {"qwen3_vl", "Qwen3VLForConditionalGeneration"},
            {"qwen3_vl_moe", "Qwen3VLMoeForConditionalGeneration"},
            {"qwen3_5", "Qwen3_5ForConditionalGeneration"},
            {"qwen3_5_moe", "Qwen3_5MoeForConditionalGeneration"},
            {"qwen3_5_text", "Qwen3_5ForCausalLM"},
            {"gemma", "GemmaForCausalLM"},
            {"gemma2", "Gemma2ForCausalLM"},
            {"gemma3_text", "Gemma3ForCausalLM"},
            {"gemma3", "Gemma3ForConditionalGeneration"},
            {"gemma4_text", "Gemma4ForCausalLM"},
            {"gemma4", "Gemma4ForConditionalGeneration"},
            {"phi3", "Phi3ForCausalLM"},
            {"phimoe", "PhiMoEForCausalLM"},
            {"gpt_oss", "GptOssForCausalLM"},
            {"deepseek_v2", "DeepseekV2ForCausalLM"},
            {"deepseek_v3", "DeepseekV3ForCausalLM"},
            {"deepseek_v32", "DeepseekV32ForCausalLM"},
            {"deepseek_v4", "DeepseekV4ForCausalLM"},
            {"llama4", "Llama4ForConditionalGeneration"},
            {"glm4_moe", "Glm4MoeForCausalLM"},
            {"glm_moe_dsa", "GlmMoeDsaForCausalLM"},
            {"minimax_m2", "MiniMaxM2ForCausalLM"},
            {"cohere", "CohereForCausalLM"},
            {"cohere2", "Cohere2ForCausalLM"},
            {"olmo2", "Olmo2ForCausalLM"},
            {"olmoe", "OlmoeForCausalLM"},
            {"granite", "GraniteForCausalLM"},
            {"starcoder2", "Starcoder2ForCausalLM"},
            {"nemotron-nas", "DeciLMForCausalLM"},
            {"nemotron_h", "NemotronHForCausalLM"},
            {"jamba", "JambaForCausalLM"},
            {"kimi_linear", "KimiLinearForCausalLM"},
            {"granitemoehybrid", "GraniteMoeHybridForCausalLM"},
        };
        for (String[] row : rows) {
            table.put(row[0], row[1]);
        }
        return table;
    }
}
