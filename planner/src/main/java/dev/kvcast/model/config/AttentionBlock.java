package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Weight.Split;
import java.util.Set;

/** Tensors of grouped-query attention, the kind most models share. */
final class AttentionBlock {

    private AttentionBlock() {}

    /** Heads as vLLM derives them: explicit {@code head_dim}, else hidden size by heads. */
    static AttentionShape shape(ModelOutline model) {
        ConfigFields text = model.text();
        int heads = text.size("num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_attention_heads");
        int kvHeads = kvHeads(text, heads);
        int headDim = text.sizeOr(0, "head_dim", "attention_head_dim", "kv_channels");
        if (headDim == 0) {
            if (model.hiddenSize() % heads != 0) {
                throw InputException.badInput("hidden_size " + model.hiddenSize()
                        + " is not a multiple of num_attention_heads " + heads + "; give head_dim or fix config.json");
            }
            headDim = model.hiddenSize() / heads;
        }
        return new AttentionShape(heads, kvHeads, headDim, text.sizeOr(headDim, "v_head_dim"));
    }

    private static int kvHeads(ConfigFields text, int heads) {
        if (text.flag("multi_query", false) && !text.flag("new_decoder_architecture", false)) {
            return 1;
        }
        int groups = text.sizeOr(
                0, "num_key_value_heads", "n_head_kv", "num_kv_heads", "multi_query_group_num", "num_attention_groups");
        return groups == 0 ? heads : groups;
    }

    /** Query, key, value and output projections with the norms and biases the traits ask for. */
    static void add(ModelOutline model, String prefix, AttentionShape shape, Set<Trait> traits) {
        WeightCollector weights = model.weights();
        int hidden = model.hiddenSize();
        boolean biasField =
                traits.contains(Trait.ATTENTION_BIAS_FIELD) && model.text().flag("attention_bias", false);
        boolean inputBias = biasField || traits.contains(Trait.QKV_BIAS);
        boolean gate = traits.contains(Trait.OUTPUT_GATE);
        weights.heads(
                Component.ATTENTION, prefix + "q_proj", shape.queryHeads(), (gate ? 2L : 1L) * shape.headDim(), hidden);
        weights.heads(Component.ATTENTION, prefix + "k_proj", shape.kvHeads(), shape.headDim(), hidden);
        if (!traits.contains(Trait.KEY_AS_VALUE)) {
            weights.heads(Component.ATTENTION, prefix + "v_proj", shape.kvHeads(), shape.valueDim(), hidden);
        }
        weights.linear(
                Component.ATTENTION,
                prefix + "o_proj",
                hidden,
                (long) shape.queryHeads() * shape.valueDim(),
                Split.ROW);
        if (inputBias) {
            bias(weights, prefix + "q_proj.bias", shape.queryHeads(), (gate ? 2L : 1L) * shape.headDim());
            bias(weights, prefix + "k_proj.bias", shape.kvHeads(), shape.headDim());
            bias(weights, prefix + "v_proj.bias", shape.kvHeads(), shape.valueDim());
        }
        if (traits.contains(Trait.OUTPUT_BIAS) || (biasField && !traits.contains(Trait.NO_OUTPUT_BIAS))) {
            weights.vector(Component.ATTENTION, prefix + "o_proj.bias", hidden);
        }
        addHeadNorms(weights, prefix, shape, traits, model.text());
        boolean gates = model.text().flag("use_head_wise_attn_gate", false)
                || Boolean.TRUE.equals(model.text().raw().get("gating"))
                || "per-head".equals(model.text().raw().get("gating"));
        if (traits.contains(Trait.HEAD_GATE) && gates) {
            weights.heads(Component.ATTENTION, prefix + "g_proj", shape.queryHeads(), 1, hidden);
        }
        if (traits.contains(Trait.SINKS)) {
            weights.vector(Component.ATTENTION, prefix + "sinks", shape.queryHeads(), Split.COLUMN, 0);
        }
    }

    private static void addHeadNorms(
            WeightCollector weights, String prefix, AttentionShape shape, Set<Trait> traits, ConfigFields text) {
        boolean byField = traits.contains(Trait.QK_NORM_FIELD) && text.flag("use_qk_norm", false);
        if (traits.contains(Trait.QK_NORM) || (byField && !traits.contains(Trait.QK_NORM_ALL_HEADS))) {
            weights.vector(Component.NORM, prefix + "q_norm", shape.headDim());
            weights.vector(Component.NORM, prefix + "k_norm", shape.headDim());
        } else if (traits.contains(Trait.QK_NORM_ALL_HEADS) && (byField || !traits.contains(Trait.QK_NORM_FIELD))) {
            norm(weights, prefix + "q_norm", shape.queryHeads(), shape.headDim());
            norm(weights, prefix + "k_norm", shape.kvHeads(), shape.headDim());
        }
    }

    private static void norm(WeightCollector weights, String name, long heads, long width) {
        weights.vector(Component.NORM, name, heads * width, Split.COLUMN, heads);
    }

    private static void bias(WeightCollector weights, String name, long heads, long width) {
        weights.vector(Component.ATTENTION, name, heads * width, Split.COLUMN, heads);
    }
}
