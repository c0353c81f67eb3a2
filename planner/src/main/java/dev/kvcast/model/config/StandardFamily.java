package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.Weight.Split;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Decoder-only transformers with grouped-query attention and dense or sparse feed-forward blocks: Llama, Mistral, Qwen,
 * Gemma 1 to 3, Phi, OLMo, Granite, gpt-oss and their like. Differences are {@link Trait}s.
 */
final class StandardFamily implements ArchitectureFamily {

    private final Set<Trait> traits;

    StandardFamily(Trait... traits) {
        this.traits = traits.length == 0 ? EnumSet.noneOf(Trait.class) : EnumSet.copyOf(Arrays.asList(traits));
    }

    @Override
    public void describe(ModelOutline model) {
        AttentionShape shape = AttentionBlock.shape(model);
        List<WindowPlan.Span> spans = WindowPlan.read(model, traits);
        FeedForwardBlock feedForward = new FeedForwardBlock(model, traits);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            AttentionShape layerShape = layerShape(model, shape, spans.get(index), index);
            AttentionBlock.add(model, "self_attn.", layerShape, layerTraits(model, spans.get(index)));
            Mixer mixer = spans.get(index).mixer(layerShape);
            FeedForward block = feedForward.add(index, "mlp.");
            addNorms(model);
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(traits.contains(Trait.NORM_BIAS), traits.contains(Trait.HEAD_BIAS));
        if (traits.contains(Trait.LEARNED_POSITIONS)) {
            long positions = 2L + model.text().size("max_position_embeddings");
            model.weights()
                    .matrix(Component.OTHER, "model.embed_positions", positions, model.hiddenSize(), Split.REPLICATED);
        }
        DraftModules.add(model, traits, shape, feedForward);
    }

    /** Layers may have heads of their own: by index (Laguna), or all sliding ones alike (MiMo-V2). */
    private static AttentionShape layerShape(
            ModelOutline model, AttentionShape shape, WindowPlan.Span span, int index) {
        List<Integer> perLayer =
                model.perLayer("num_attention_heads_per_layer", model.text().sizes("num_attention_heads_per_layer"), 0);
        if (!perLayer.isEmpty()) {
            return new AttentionShape(perLayer.get(index), shape.kvHeads(), shape.headDim(), shape.valueDim());
        }
        return WindowPlan.sliding(span) ? slidingShape(model, shape) : shape;
    }

    /** Heads of sliding layers. */
    private static AttentionShape slidingShape(ModelOutline model, AttentionShape shape) {
        ConfigFields text = model.text();
        if (!text.has("swa_num_key_value_heads")) {
            return shape;
        }
        int headDim = text.sizeOr(shape.headDim(), "swa_head_dim");
        return new AttentionShape(
                text.sizeOr(shape.queryHeads(), "swa_num_attention_heads"),
                text.size("swa_num_key_value_heads"),
                headDim,
                text.sizeOr(shape.valueDim(), "swa_v_head_dim"));
    }

    private Set<Trait> layerTraits(ModelOutline model, WindowPlan.Span span) {
        String field = WindowPlan.sliding(span) ? "add_swa_attention_sink_bias" : "add_full_attention_sink_bias";
        if (!model.text().flag(field, false)) {
            return traits;
        }
        Set<Trait> own = EnumSet.copyOf(traits);
        own.add(Trait.SINKS);
        return own;
    }

    private void addNorms(ModelOutline model) {
        String[] names = traits.contains(Trait.FOUR_NORMS)
                ? new String[] {
                    "input_layernorm",
                    "post_attention_layernorm",
                    "pre_feedforward_layernorm",
                    "post_feedforward_layernorm"
                }
                : traits.contains(Trait.ONE_NORM) && !model.text().flag("new_decoder_architecture", false)
                        ? new String[] {"input_layernorm"}
                        : new String[] {"input_layernorm", "post_attention_layernorm"};
        for (String name : names) {
            model.weights().vector(Component.NORM, name, model.hiddenSize());
            if (traits.contains(Trait.NORM_BIAS)) {
                model.weights().vector(Component.NORM, name + ".bias", model.hiddenSize());
            }
        }
    }
}
