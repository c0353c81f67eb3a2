package dev.kvcast.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a checkpoint stores its linear weights: a scheme, and the modules that keep their original type.
 *
 * @param method name as people and configs write it ({@code awq}, {@code fp8}, {@code compressed-tensors}, ...)
 * @param scheme default scheme of linear layers; embeddings and the output head keep their type unless a rule names them
 * @param rules exceptions, first match wins; a rule with {@link WeightScheme.Original} keeps modules as they are
 */
public record Quantization(String method, WeightScheme scheme, List<Rule> rules) {

    /** Nothing is quantized. */
    public static final Quantization NONE = new Quantization("none", new WeightScheme.Original(), List.of());

    /** Copies the list. */
    public Quantization {
        rules = List.copyOf(rules);
    }

    /**
     * One exception.
     *
     * @param pattern whole dotted parts of a module name ({@code lm_head}, {@code model.layers.0.mlp}); with a {@code *}
     *     a glob over the name or whole leading parts of it; after {@code re:} a regular expression that the name must begin with
     * @param scheme the scheme of matching modules
     */
    public record Rule(String pattern, WeightScheme scheme) {}

    /** Whether any linear layer is stored in fewer bits than the model's type. */
    public boolean quantized() {
        return !(scheme instanceof WeightScheme.Original)
                || rules.stream().anyMatch(rule -> !(rule.scheme() instanceof WeightScheme.Original));
    }

    private static final String ASSUMED = "usual ";

    /** The same, marked as what builds usually look like rather than what one checkpoint says of itself. */
    public Quantization asAssumed() {
        return quantized() && !assumed() ? new Quantization(ASSUMED + method, scheme, rules) : this;
    }

    /** Whether it is what builds usually look like rather than what one checkpoint says of itself. */
    public boolean assumed() {
        return method.startsWith(ASSUMED);
    }

    /** The same with further rules that are asked after the existing ones. */
    public Quantization withRules(List<Rule> more) {
        List<Rule> all = new ArrayList<>(rules);
        all.addAll(more);
        return new Quantization(method, scheme, all);
    }

    /** The weights as this quantization stores them; a weight whose layers differ is divided. */
    public List<Weight> apply(List<Weight> weights) {
        ModulePatterns patterns = new ModulePatterns(rules);
        List<Weight> result = new ArrayList<>();
        for (Weight weight : weights) {
            if (!weight.linear()) {
                result.add(weight);
            } else if (weight.layers().outside()) {
                result.add(weight.in(weight.layers(), schemeOf(weight, weight.module(), patterns)));
            } else {
                divideByLayer(weight, patterns, result);
            }
        }
        return result;
    }

    private void divideByLayer(Weight weight, ModulePatterns patterns, List<Weight> result) {
        Map<WeightScheme, List<Integer>> layersByScheme = new LinkedHashMap<>();
        for (int layer : weight.layers().indices()) {
            String module = weight.module().replaceFirst("\\*", String.valueOf(layer));
            layersByScheme
                    .computeIfAbsent(schemeOf(weight, module, patterns), key -> new ArrayList<>())
                    .add(layer);
        }
        layersByScheme.forEach((scheme, layers) -> result.add(weight.in(LayerSet.of(layers), scheme)));
    }

    private WeightScheme schemeOf(Weight weight, String module, ModulePatterns patterns) {
        boolean byDefault = weight.component() != Component.LM_HEAD && weight.component() != Component.EMBEDDING;
        WeightScheme found =
                patterns.find(module.replace("*", "0")).orElse(byDefault ? scheme : new WeightScheme.Original());
        if (weight.component() == Component.DEQUANTIZED) {
            return found instanceof WeightScheme.Original ? new WeightScheme.Absent() : new WeightScheme.Original();
        }
        return found;
    }
}
