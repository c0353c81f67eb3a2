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
 * @param kept modules that stay in 16 bits, or have another quantization ({@code self_attn=fp8})
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

    /** The same exceptions with the quantization a user names, unless the row names its own. */
    Checkpoint withQuantization(String other) {
        return quantization.isEmpty()
                ? new Checkpoint(name, base, other, groupSize, kept, bitsPerWeight, kvScheme)
                : this;
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
            addRules(module, rules);
        }
        boolean head = kept.stream().anyMatch(module -> module.startsWith("lm_head"));
        if (!head && !parsed.method().equals("gguf")) {
            rules.add(new Rule("lm_head", parsed.scheme()));
        }
        List<Rule> all = new ArrayList<>(rules);
        all.addAll(parsed.rules());
        return new Quantization(parsed.method(), parsed.scheme(), all);
    }

    /** {@code module} keeps its type, {@code module=fp8} has a quantization of its own. */
    private static void addRules(String module, List<Rule> rules) {
        int equals = module.indexOf('=');
        if (module.equals("vision") || module.equals("visual")) {
            rules.addAll(QuantizationNames.frontEnd());
        } else if (equals > 0) {
            Quantization own =
                    QuantizationNames.parse(module.substring(equals + 1), OptionalInt.empty(), OptionalDouble.empty());
            rules.add(new Rule(module.substring(0, equals), own.scheme()));
        } else if (!module.contains(" ")) {
            rules.add(new Rule(module.equals("attention") ? "self_attn" : module, new WeightScheme.Original()));
        }
    }

    /** Whether part of what it keeps is not written down. */
    boolean uncertain() {
        return kept.stream().anyMatch(module -> module.contains(" "));
    }
}
