package dev.kvcast.model.io;

import dev.kvcast.model.Quantization;
import dev.kvcast.model.Quantization.Rule;
import dev.kvcast.model.QuantizationNames;
import dev.kvcast.model.WeightScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One row of {@code checkpoints.csv}: a published checkpoint that has the geometry of a catalogued model.
 *
 * @param name checkpoint name as published
 * @param base catalogued model of the same geometry
 * @param quantization quantization as people name it
 * @param groupSize inputs per scale, if known
 * @param kept modules that stay in 16 bits
 * @param bitsPerWeight bits of a quantized weight with its scales, if known
 * @param kvScheme KV-cache type that the checkpoint asks for, or empty
 */
record Checkpoint(
        String name,
        String base,
        String quantization,
        OptionalInt groupSize,
        List<String> kept,
        OptionalDouble bitsPerWeight,
        String kvScheme) {

    /** Copies the list. */
    Checkpoint {
        kept = List.copyOf(kept);
    }

    /** How its weights are stored. */
    Quantization storage() {
        Quantization parsed = QuantizationNames.parse(quantization, groupSize, bitsPerWeight);
        if (!parsed.quantized()) {
            return parsed;
        }
        if (kept.isEmpty()) {
            return parsed.withRules(QuantizationNames.conventionalExceptions());
        }
        List<Rule> rules = new ArrayList<>();
        for (String module : kept) {
            if (module.equals("vision") || module.equals("visual")) {
                rules.addAll(QuantizationNames.conventionalExceptions());
            } else if (!module.contains(" ")) {
                rules.add(new Rule(module.equals("attention") ? "self_attn" : module, new WeightScheme.Original()));
            }
        }
        if (!kept.contains("lm_head") && !parsed.method().equals("gguf")) {
            rules.add(new Rule("lm_head", parsed.scheme()));
        }
        List<Rule> all = new ArrayList<>(rules);
        all.addAll(parsed.rules());
        return new Quantization(parsed.method(), parsed.scheme(), all);
    }

    /** Whether part of what it keeps is not written down. */
    boolean uncertain() {
        return kept.stream().anyMatch(module -> module.contains(" "));
    }
}
