package dev.kvcast.model;

/**
 * One kind of weight tensor, with the same shape in every layer that holds it.
 *
 * @param component the part it belongs to
 * @param module dotted module name as quantization configs name it, with {@code *} for the layer and expert index, for
 *     example {@code model.layers.*.mlp.down_proj}
 * @param layers decoder layers that hold it
 * @param rows output features (or the only dimension of a vector)
 * @param columns input features, 1 for a vector
 * @param count copies with this shape in one layer (experts)
 * @param split how tensor parallelism divides it
 * @param heads heads that a division must leave whole, 0 where it may cut anywhere
 * @param linear whether it is a linear layer that quantization methods convert
 * @param scheme how it is stored
 */
public record Weight(
        Component component,
        String module,
        LayerSet layers,
        long rows,
        long columns,
        long count,
        Split split,
        int heads,
        boolean linear,
        WeightScheme scheme) {

    /** How tensor (or expert) parallelism divides a weight over ranks. */
    public enum Split {
        /** Output features are divided; heads that ranks outnumber are replicated. */
        COLUMN,
        /** Input features are divided. */
        ROW,
        /** Vocabulary rows, padded and divided. */
        VOCABULARY,
        /** An expert's output features; whole experts go to ranks under expert parallelism. */
        EXPERT_COLUMN,
        /** An expert's input features; whole experts go to ranks under expert parallelism. */
        EXPERT_ROW,
        /** Every rank holds all of it. */
        REPLICATED
    }

    /** Checks the dimensions. */
    public Weight {
        Sizes.positive(module + " rows", rows);
        Sizes.positive(module + " columns", columns);
        Sizes.positive(module + " copies", count);
        Sizes.nonNegative(module + " heads", heads);
    }

    /** Elements of one copy. */
    public long elements() {
        return Math.multiplyExact(rows, columns);
    }

    /** Elements of all copies in all layers. */
    public long parameters() {
        return Math.multiplyExact(Math.multiplyExact(elements(), count), layers.count());
    }

    /** The same weights held by other layers and stored another way. */
    public Weight in(LayerSet otherLayers, WeightScheme otherScheme) {
        return new Weight(component, module, otherLayers, rows, columns, count, split, heads, linear, otherScheme);
    }

    /** The same weights stored in {@code factor} times the bytes. */
    Weight scaled(double factor, DataType original) {
        double bits = 8.0 * scheme.bytes(rows, columns, original) / elements();
        return in(layers, new WeightScheme.Average(bits * factor));
    }
}
