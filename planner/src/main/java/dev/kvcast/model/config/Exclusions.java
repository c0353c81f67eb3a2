package dev.kvcast.model.config;

import dev.kvcast.model.Quantization.Rule;
import dev.kvcast.model.WeightScheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The modules that a quantization config leaves in their original type. */
final class Exclusions {

    private static final String[] KEYS = {
        "ignore", "ignored_layers", "modules_to_not_convert", "exclude_modules", "exclude", "llm_int8_skip_modules"
    };
    private static final Pattern LAYER = Pattern.compile("(.*\\blayers\\.)(\\d+)(\\b.*|\\*.*)");

    private Exclusions() {}

    /** Rules that keep the listed modules as they are. */
    static List<Rule> read(ConfigFields config) {
        List<Rule> rules = new ArrayList<>();
        for (String key : KEYS) {
            List<String> names = config.isList(key) ? config.texts(key) : List.of();
            boolean abbreviated = config.has(key + "_count") && config.sizeOr(0, key + "_count") > names.size();
            for (String name : abbreviated ? overAllLayers(names) : names) {
                rules.add(new Rule(name, new WeightScheme.Original()));
            }
        }
        return rules;
    }

    /**
     * Completes a list that the catalogue keeps only the head of (its real length is in {@code ..._count}): a module
     * named for several layers is left alone in all of them.
     */
    static List<String> overAllLayers(List<String> names) {
        Map<String, Set<String>> layersByShape = new LinkedHashMap<>();
        for (String name : names) {
            Matcher matcher = LAYER.matcher(name);
            if (matcher.matches()) {
                layersByShape
                        .computeIfAbsent(matcher.group(1) + "\u0000" + matcher.group(3), key -> new LinkedHashSet<>())
                        .add(matcher.group(2));
            }
        }
        Set<String> result = new LinkedHashSet<>();
        for (String name : names) {
            Matcher matcher = LAYER.matcher(name);
            boolean layered = matcher.matches();
            if (layered
                    && layersByShape
                                    .getOrDefault(matcher.group(1) + "\u0000" + matcher.group(3), Set.of())
                                    .size()
                            > 1) {
                result.add(matcher.group(1) + "*" + matcher.group(3));
            } else {
                result.add(name);
            }
        }
        return List.copyOf(result);
    }
}
