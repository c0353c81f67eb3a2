package dev.kvcast.model;

/**
 * Heads of one softmax-attention layer over the whole model (before any parallel split).
 *
 * @param queryHeads query heads, at least 1
 * @param kvHeads key/value heads, at least 1; {@code queryHeads} is a multiple of it
 * @param headDim elements of one key head (and one query head)
 * @param valueDim elements of one value head
 */
public record AttentionShape(int queryHeads, int kvHeads, int headDim, int valueDim) {

    /** Checks that every size is positive and that query heads share key/value heads evenly. */
    public AttentionShape {
        Sizes.positive("attention heads", queryHeads);
        Sizes.positive("key/value heads", kvHeads);
        Sizes.positive("head_dim", headDim);
        Sizes.positive("v_head_dim", valueDim);
        if (queryHeads % kvHeads != 0) {
            throw InputException.badInput("num_attention_heads " + queryHeads
                    + " is not a multiple of num_key_value_heads " + kvHeads + "; check config.json");
        }
    }

    /** Heads whose keys and values have the same width. */
    public static AttentionShape of(int queryHeads, int kvHeads, int headDim) {
        return new AttentionShape(queryHeads, kvHeads, headDim, headDim);
    }
}
