package dev.kvcast.model.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The longest sequence a config allows, as vLLM derives it: the smallest of several fields, times the rope scaling
 * factor of the kinds that do not already count it ({@code config/model.py}, {@code _get_and_verify_max_len}).
 */
final class MaxLength {

    private static final String[] KEYS = {
        "max_position_embeddings",
        "n_positions",
        "max_seq_len",
        "seq_length",
        "model_max_length",
        "max_target_positions",
        "max_sequence_length",
        "max_seq_length",
        "seq_len"
    };

    /** Rope kinds whose factor is in {@code max_position_embeddings} already. */
    private static final Set<String> ALREADY_SCALED = Set.of(
            "su", "longrope", "llama3", "yarn", "deepseek_yarn", "deepseek_llama_scaling", "default", "proportional");

    /** vLLM's length for configs that state none. */
    private static final long UNSTATED = 2048;

    private MaxLength() {}

    static long derive(ConfigFields text) {
        long length = Long.MAX_VALUE;
        for (String key : KEYS) {
            if (text.has(key)) {
                length = Math.min(length, text.size(key));
            }
        }
        if (text.has("model_max_length")) {
            length = text.size("model_max_length");
        }
        if (length == Long.MAX_VALUE) {
            return UNSTATED;
        }
        List<ConfigFields> scalings = scalings(text);
        double factor = 1;
        boolean longRope = false;
        for (ConfigFields scaling : scalings) {
            String kind =
                    scaling.text("rope_type").or(() -> scaling.text("type")).orElse("default");
            longRope |= kind.equals("longrope") || kind.equals("su");
            if (!ALREADY_SCALED.contains(kind) && !kind.equals("mrope")) {
                factor = scaling.number("factor", factor);
            }
        }
        if (longRope && text.has("original_max_position_embeddings")) {
            return text.size("original_max_position_embeddings");
        }
        boolean counted = text.text("model_type").orElse("").contains("gemma3");
        return counted ? length : (long) (length * factor);
    }

    private static List<ConfigFields> scalings(ConfigFields text) {
        List<ConfigFields> result = new ArrayList<>();
        Optional<ConfigFields> scaling = text.object("rope_scaling").or(() -> text.object("rope_parameters"));
        if (scaling.isPresent()) {
            ConfigFields fields = scaling.get();
            result.add(fields);
            // Newer configs hold one object per layer type.
            fields.raw().forEach((name, value) -> {
                if (value instanceof java.util.Map) {
                    fields.object(name).ifPresent(result::add);
                }
            });
        }
        return result;
    }
}
