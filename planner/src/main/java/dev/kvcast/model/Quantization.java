package dev.kvcast.model;

import java.util.List;

/**
 * How a checkpoint stores its linear weights: a scheme, and the modules that keep their original type.
 *
 * @param method name as people and configs write it ({@code awq}, {@code fp8}, {@code compressed-tensors}, ...)
 * @param scheme default scheme of linear layers
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
     * @param pattern a module name or prefix; a {@code re:} prefix marks a regular expression, a bare word matches a
     *     whole dotted part
     * @param scheme the scheme of matching modules
     */
    public record Rule(String pattern, WeightScheme scheme) {}

    /** Whether any linear layer is stored in fewer bits than the model's type. */
    public boolean quantized() {
        return !(scheme instanceof WeightScheme.Original);
    }
}
