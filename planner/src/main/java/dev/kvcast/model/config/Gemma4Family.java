package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.Weight.Split;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Gemma 4: sliding and full layers with heads of different widths, later layers that reuse earlier keys and values,
 * per-layer embeddings, and experts beside the dense block. Sources: vLLM 0.32 {@code gemma4.py}, transformers
 * {@code Gemma4TextConfig}.
 */
final class Gemma4Family implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.of(Trait.QK_NORM, Trait.ATTENTION_BIAS_FIELD);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        List<Boolean> full = fullLayers(model);
        int firstShared = model.layerCount() - text.sizeOr(0, "num_kv_shared_layers");
        int perLayerWidth = text.sizeOr(0, "hidden_size_per_layer_input");
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            boolean shares = index >= firstShared && firstShared > 0;
            Mixer mixer = addAttention(model, full.get(index), shares);
            FeedForward block = addFeedForward(model, shares);
            addLayerExtras(model, perLayerWidth);
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
        if (perLayerWidth > 0) {
            addPerLayerEmbedding(model, perLayerWidth);
        }
    }

    private static List<Boolean> fullLayers(ModelOutline model) {
        List<String> types = model.perLayer("layer_types", model.text().texts("layer_types"), 0);
        List<Boolean> full = new ArrayList<>();
        for (int index = 0; index < model.layerCount(); index++) {
            String type = types.isEmpty()
                    ? ((index + 1) % 6 == 0 ? "full_attention" : "sliding_attention")
                    : types.get(index);
            if (!type.equals("full_attention") && !type.equals("sliding_attention")) {
                throw InputException.unknownArchitecture("layer_types has \"" + type
                        + "\"; kvcast knows full_attention and sliding_attention for Gemma 4");
            }
            // transformers makes the last layer full whatever the list says.
            full.add(type.equals("full_attention") || index == model.layerCount() - 1);
        }
        return full;
    }

    private static Mixer addAttention(ModelOutline model, boolean full, boolean shares) {
        ConfigFields text = model.text();
        int heads = text.size("num_attention_heads");
        int kvHeads = text.size("num_key_value_heads");
        int headDim = text.sizeOr(256, "head_dim");
        boolean keyAsValue = full && text.flag("attention_k_eq_v", false);
        if (full) {
            headDim = text.sizeOr(512, "global_head_dim");
            kvHeads = keyAsValue ? text.sizeOr(kvHeads, "num_global_key_value_heads") : kvHeads;
        }
        AttentionShape shape = AttentionShape.of(heads, kvHeads, headDim);
        int window = full ? 0 : text.sizeOr(512, "sliding_window");
        Set<Trait> traits = EnumSet.copyOf(TRAITS);
        if (keyAsValue) {
            traits.add(Trait.KEY_AS_VALUE);
        }
        if (shares) {
            addUnusedKeyValue(model, shape, traits);
            return new Mixer.Shared(shape, window);
        }
        AttentionBlock.add(model, "self_attn.", shape, traits);
        if (keyAsValue) {
            // Engines load the key projection a second time as the value projection.
            model.weights().heads(Component.COPY, "self_attn.v_proj", kvHeads, headDim, model.hiddenSize());
        }
        return full ? new Mixer.Full(shape) : new Mixer.Sliding(shape, window);
    }

    /** Layers that reuse keys and values ship projections that no engine loads. */
    private static void addUnusedKeyValue(ModelOutline model, AttentionShape shape, Set<Trait> traits) {
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        long width = (long) shape.queryHeads() * shape.headDim();
        weights.heads(Component.ATTENTION, "self_attn.q_proj", shape.queryHeads(), shape.headDim(), hidden);
        weights.linear(Component.ATTENTION, "self_attn.o_proj", hidden, width, Split.ROW);
        weights.vector(Component.NORM, "self_attn.q_norm", shape.headDim());
        weights.heads(Component.UNUSED, "self_attn.k_proj", shape.kvHeads(), shape.headDim(), hidden);
        if (!traits.contains(Trait.KEY_AS_VALUE)) {
            weights.heads(Component.UNUSED, "self_attn.v_proj", shape.kvHeads(), shape.headDim(), hidden);
        }
        weights.vector(Component.UNUSED, "self_attn.k_norm", shape.headDim());
    }

    private static FeedForward addFeedForward(ModelOutline model, boolean shares) {
        ConfigFields text = model.text();
        WeightCollector weights = model.weights();
        int wide = shares && text.flag("use_double_wide_mlp", false) ? 2 : 1;
        int width = Math.multiplyExact(text.size("intermediate_size"), wide);
        long hidden = model.hiddenSize();
        FeedForwardBlock.addDenseTensors(weights, Component.MLP, "mlp.", hidden, width, 3, false);
        if (!text.has("num_experts") || !text.flag("enable_moe_block", true)) {
            return new FeedForward.Dense(width, 3);
        }
        int experts = text.size("num_experts");
        int expertWidth = text.size("moe_intermediate_size", "expert_intermediate_size");
        weights.matrix(Component.ROUTER, "router.proj", experts, hidden, Split.REPLICATED);
        weights.vector(Component.ROUTER, "router.scale", hidden);
        weights.vector(Component.ROUTER, "router.per_expert_scale", experts);
        FeedForwardBlock.addRoutedTensors(weights, "", experts, expertWidth, hidden, 3);
        for (String norm : new String[] {
            "post_feedforward_layernorm_1", "post_feedforward_layernorm_2", "pre_feedforward_layernorm_2"
        }) {
            weights.vector(Component.NORM, norm, hidden);
        }
        return new FeedForward.Experts(experts, text.size("top_k_experts"), expertWidth, width, model.hiddenSize(), 3);
    }

    private static void addLayerExtras(ModelOutline model, int perLayerWidth) {
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        for (String norm : new String[] {
            "input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"
        }) {
            weights.vector(Component.NORM, norm, hidden);
        }
        weights.vector(Component.OTHER, "layer_scalar", 1);
        if (perLayerWidth > 0) {
            weights.linear(Component.OTHER, "per_layer_input_gate", perLayerWidth, hidden, Split.REPLICATED);
            weights.linear(Component.OTHER, "per_layer_projection", hidden, perLayerWidth, Split.REPLICATED);
            weights.vector(Component.NORM, "post_per_layer_input_norm", hidden);
        }
    }

    private static void addPerLayerEmbedding(ModelOutline model, int width) {
        WeightCollector weights = model.weights();
        long total = (long) width * model.layerCount();
        weights.enterModule("model.");
        weights.matrix(
                Component.EMBEDDING,
                "embed_tokens_per_layer",
                model.text().sizeOr(model.vocabularySize(), "vocab_size_per_layer_input"),
                total,
                Split.VOCABULARY);
        weights.linear(Component.OTHER, "per_layer_model_projection", total, model.hiddenSize(), Split.COLUMN);
        weights.vector(Component.NORM, "per_layer_projection_norm", width);
    }
}
