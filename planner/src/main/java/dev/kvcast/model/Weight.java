package dev.kvcast.model;

/**
 * One kind of weight tensor, repeated {@code count} times with the same shape.
 *
 * @param component the part it belongs to
 * @param module dotted module name as quantization configs name it, with {@code *} for the layer and expert index, for
 *     example {@code model.layers.*.mlp.down_proj}
 * @param layer decoder layer index, or -1 outside the decoder stack
 * @param rows output features (or the only dimension of a vector)
 * @param columns input features, 1 for a vector
 * @param count copies with this shape
 * @param split how tensor parallelism divides it
 * @param linear whether it is a linear layer that quantization methods convert
 */
public record Weight(
        Component component,
        String module,
        int layer,
        long rows,
        long columns,
        long count,
        Split split,
        boolean linear) {

    /** How tensor (or expert) parallelism divides a weight over ranks. */
    public enum Split {
        /** Output features are divided. */
        COLUMN,
        /** Input features are divided. */
        ROW,
        /** Key/value projections: divided by heads, replicated once ranks outnumber heads. */
        KV_HEADS,
        /** Vocabulary rows, padded and divided. */
        VOCABULARY,
        /** Whole experts go to ranks under expert parallelism; otherwise each is divided like a dense block. */
        EXPERT,
        /** Every rank holds all of it. */
        REPLICATED
    }

    /** Elements of all copies. */
    public long parameters() {
        return Math.multiplyExact(Math.multiplyExact(rows, columns), count);
    }
}
