package dev.kvcast.model.config;

import java.util.HashMap;
import java.util.Map;

/**
 * Values that configs leave out because transformers fills them in: configs are saved as differences to the class
 * defaults. From transformers 5.24 {@code configuration_*.py}.
 */
final class ConfigDefaults {

    private static final Map<String, Map<String, Object>> BY_MODEL_TYPE = byModelType();

    private ConfigDefaults() {}

    /** The text fields with the defaults of their {@code model_type} beneath. */
    static ConfigFields complete(ConfigFields root, ConfigFields text) {
        String type = text.text("model_type").orElse("");
        String outer = root.text("model_type").orElse("");
        Map<String, Object> defaults = BY_MODEL_TYPE.getOrDefault(type, BY_MODEL_TYPE.getOrDefault(outer, Map.of()));
        return text.over(new ConfigFields(defaults));
    }

    private static Map<String, Map<String, Object>> byModelType() {
        Map<String, Map<String, Object>> table = new HashMap<>();
        Map<String, Object> tied = Map.of("tie_word_embeddings", true);
        for (String type : new String[] {
            "gemma4",
            "gemma4_unified",
            "gemma4_unified_text",
            "diffusion_gemma",
            "gemma4_text",
            "cohere",
            "cohere2",
            "falcon",
            "starcoder2",
            "lfm2",
            "granitemoehybrid",
            "apertus"
        }) {
            table.put(type, tied);
        }
        table.put("apertus", Map.of());
        table.put("qwen3_next", Map.of("num_nextn_predict_layers", 1));
        table.put("gemma", Map.of("tie_word_embeddings", true, "head_dim", 256));
        table.put(
                "gemma2",
                Map.of(
                        "tie_word_embeddings",
                        true,
                        "head_dim",
                        256,
                        "sliding_window",
                        4096,
                        "num_attention_heads",
                        8,
                        "num_key_value_heads",
                        4));
        Map<String, Object> gemma3 = Map.of(
                "tie_word_embeddings",
                true,
                "head_dim",
                256,
                "num_attention_heads",
                8,
                "num_key_value_heads",
                4,
                "vocab_size",
                262208,
                "sliding_window",
                4096,
                "max_position_embeddings",
                131072);
        table.put("gemma3_text", gemma3);
        table.put("gemma3", gemma3);
        table.put(
                "llama",
                Map.of(
                        "vocab_size",
                        32000,
                        "hidden_size",
                        4096,
                        "intermediate_size",
                        11008,
                        "num_hidden_layers",
                        32,
                        "num_attention_heads",
                        32,
                        "max_position_embeddings",
                        2048));
        table.put(
                "mistral",
                Map.of(
                        "vocab_size",
                        32000,
                        "hidden_size",
                        4096,
                        "intermediate_size",
                        14336,
                        "num_hidden_layers",
                        32,
                        "num_attention_heads",
                        32,
                        "num_key_value_heads",
                        8,
                        "max_position_embeddings",
                        131072));
        table.put("opt", Map.of("tie_word_embeddings", true));
        table.put("qwen3", Map.of("head_dim", 128));
        table.put("qwen3_vl_text", Map.of("head_dim", 128));
        table.put("gpt_oss", Map.of("head_dim", 64, "sliding_window", 128));
        table.put("phi-msft", Map.of("intermediate_size", 10240));
        return table;
    }
}
