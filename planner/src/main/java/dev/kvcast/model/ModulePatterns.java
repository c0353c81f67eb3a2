package dev.kvcast.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Finds the quantization rule of a module. Checkpoints spell one module in several ways: multimodal wrappers put
 * {@code language_model} before or after {@code model}, and engines fuse projections; every spelling is tried.
 */
final class ModulePatterns {

    private static final Map<String, String> FUSED_NAMES = Map.ofEntries(
            Map.entry("q_proj", "qkv_proj"),
            Map.entry("k_proj", "qkv_proj"),
            Map.entry("v_proj", "qkv_proj"),
            Map.entry("gate_proj", "gate_up_proj"),
            Map.entry("up_proj", "gate_up_proj"),
            Map.entry("in_proj_qkv", "in_proj_qkvz"),
            Map.entry("in_proj_z", "in_proj_qkvz"),
            Map.entry("in_proj_a", "in_proj_ba"),
            Map.entry("in_proj_b", "in_proj_ba"));

    private final List<Entry> entries = new ArrayList<>();

    private record Entry(String dotted, Optional<Pattern> pattern, WeightScheme scheme) {}

    ModulePatterns(List<Quantization.Rule> rules) {
        for (Quantization.Rule rule : rules) {
            entries.add(compile(rule));
        }
    }

    /** The scheme of the first rule that matches. */
    Optional<WeightScheme> find(String module) {
        List<String> spellings = spellings(module);
        for (Entry entry : entries) {
            for (String spelling : spellings) {
                if (matches(entry, spelling)) {
                    return Optional.of(entry.scheme());
                }
            }
        }
        return Optional.empty();
    }

    private static boolean matches(Entry entry, String name) {
        return entry.pattern()
                .map(pattern -> pattern.matcher(name).lookingAt())
                .orElseGet(() -> ("." + name + ".").contains(entry.dotted()));
    }

    private static List<String> spellings(String module) {
        List<String> result = new ArrayList<>();
        addWrapped(result, module);
        int dot = module.lastIndexOf('.');
        String fused = FUSED_NAMES.get(module.substring(dot + 1));
        if (fused != null) {
            addWrapped(result, module.substring(0, dot + 1) + fused);
        }
        return result;
    }

    private static void addWrapped(List<String> result, String module) {
        result.add(module);
        if (module.startsWith("model.")) {
            String inner = module.substring("model.".length());
            result.add("model.language_model." + inner);
            result.add("language_model.model." + inner);
            result.add("backbone." + inner);
            result.add(inner);
        } else {
            result.add("language_model." + module);
        }
    }

    private static Entry compile(Quantization.Rule rule) {
        String text = rule.pattern();
        if (text.startsWith("re:")) {
            try {
                return new Entry("", Optional.of(Pattern.compile(text.substring("re:".length()))), rule.scheme());
            } catch (PatternSyntaxException e) {
                throw InputException.badInput("quantization_config has the pattern \"" + text
                                + "\", which is not a regular expression")
                        .because(e);
            }
        }
        if (text.contains("*")) {
            StringBuilder glob = new StringBuilder();
            for (String part : text.split("\\*", -1)) {
                glob.append(glob.isEmpty() ? "" : ".*").append(Pattern.quote(part));
            }
            return new Entry("", Optional.of(Pattern.compile(glob + "(?:\\..*)?$")), rule.scheme());
        }
        return new Entry("." + text + ".", Optional.empty(), rule.scheme());
    }
}
