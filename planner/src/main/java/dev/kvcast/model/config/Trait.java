package dev.kvcast.model.config;

/** What sets one decoder-only transformer apart from a Llama without biases, as far as its tensors go. */
enum Trait {
    /** A table of learned positions, two rows longer than the longest sequence (OPT). */
    LEARNED_POSITIONS,
    /** Biases on query, key and value projections, always. */
    QKV_BIAS,
    /** A bias on the attention output projection, always. */
    OUTPUT_BIAS,
    /** Attention biases where {@code attention_bias} is true. */
    ATTENTION_BIAS_FIELD,
    /** {@code attention_bias} means query, key and value only. */
    NO_OUTPUT_BIAS,
    /** Query and key norms over one head. */
    QK_NORM,
    /** Query and key norms over all heads at once. */
    QK_NORM_ALL_HEADS,
    /** Query and key norms where {@code use_qk_norm} is true. */
    QK_NORM_FIELD,
    /** The query projection also produces an output gate. */
    OUTPUT_GATE,
    /** Values are the keys; no value projection. */
    KEY_AS_VALUE,
    /** One sink logit per query head. */
    SINKS,
    /** Four norms per layer: before and after each block. */
    FOUR_NORMS,
    /** One norm per layer: attention and feed-forward read the same input. */
    ONE_NORM,
    /** Norms have biases. */
    NORM_BIAS,
    /** Two feed-forward matrices instead of three. */
    PLAIN_MLP,
    /** Biases in the feed-forward block, always. */
    MLP_BIAS,
    /** Feed-forward biases where {@code mlp_bias} is true. */
    MLP_BIAS_FIELD,
    /** A bias on the output head. */
    HEAD_BIAS,
    /** The shared expert has a scalar gate. */
    SHARED_GATE,
    /** {@code shared_intermediate_size} is the width of the always-used experts. */
    SHARED_SIZE_FIELD,
    /** The router adds a 32-bit correction per expert. */
    ROUTER_BIAS,
    /** Router and experts have biases (gpt-oss). */
    EXPERT_BIAS,
    /** The built-in draft layer is dense (MiMo). */
    DRAFT_DENSE,
    /** Built-in draft layers are sparse and carry copies of embedding and head (GLM-4.5). */
    DRAFT_SPARSE,
    /** One always-used expert of {@code intermediate_size} (Llama 4). */
    SHARED_EXPERT,
    /** One output gate per query head where {@code gating} or {@code use_head_wise_attn_gate} is set (Laguna, Step 3.5). */
    HEAD_GATE,
    /** Sliding layers alternate with full ones, sliding first, without {@code layer_types}. */
    ALTERNATE_WINDOWS,
    /** Every sixth layer is full unless {@code sliding_window_pattern} or {@code layer_types} say otherwise. */
    SIXTH_LAYER_FULL,
    /** {@code sliding_window} counts only where {@code use_sliding_window} is true. */
    WINDOW_FLAG,
    /** {@code sliding_window} never applies. */
    NO_WINDOW
}
