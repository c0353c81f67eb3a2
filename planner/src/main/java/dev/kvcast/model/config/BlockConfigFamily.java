package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.Weight.Split;
import java.util.EnumSet;
import java.util.List;

/** Nemotron-NAS: a Llama whose layers were searched one by one ({@code block_configs}); some have no attention. */
final class BlockConfigFamily implements ArchitectureFamily {

    /** Inner widths are rounded up to this many features ({@code _find_multiple} in the model's own code). */
    private static final int WIDTH_STEP = 256;

    @Override
    public void describe(ModelOutline model) {
        List<ConfigFields> blocks = model.text().objects("block_configs");
        if (blocks.size() != model.layerCount()) {
            throw InputException.badInput("block_configs has " + blocks.size() + " entries for num_hidden_layers "
                    + model.layerCount() + "; give one per layer");
        }
        for (int index = 0; index < blocks.size(); index++) {
            model.weights().enterLayer(index);
            ConfigFields attention = part(blocks.get(index), "attention");
            ConfigFields feedForward = part(blocks.get(index), "ffn");
            List<Mixer> mixers = addAttention(model, attention);
            model.addLayer(new DecoderLayer(mixers, addFeedForward(model, feedForward)));
        }
        model.addEnds(false, false);
    }

    private static ConfigFields part(ConfigFields block, String name) {
        return block.object(name)
                .orElseThrow(
                        () -> InputException.badInput("a block_configs entry has no " + name + "; check config.json"));
    }

    private static List<Mixer> addAttention(ModelOutline model, ConfigFields attention) {
        if (attention.flag("no_op", false)) {
            return List.of();
        }
        model.weights().vector(Component.NORM, "input_layernorm", model.hiddenSize());
        if (attention.flag("replace_with_linear", false)) {
            model.weights()
                    .linear(
                            Component.ATTENTION,
                            "self_attn.linear_attn",
                            model.hiddenSize(),
                            model.hiddenSize(),
                            Split.REPLICATED);
            return List.of();
        }
        int heads = model.text().size("num_attention_heads");
        AttentionShape shape =
                AttentionShape.of(heads, heads / attention.size("n_heads_in_group"), model.hiddenSize() / heads);
        AttentionBlock.add(model, "self_attn.", shape, EnumSet.of(Trait.ATTENTION_BIAS_FIELD));
        return List.of(new Mixer.Full(shape));
    }

    private static FeedForward addFeedForward(ModelOutline model, ConfigFields feedForward) {
        if (feedForward.flag("no_op", false)) {
            return new FeedForward.None();
        }
        model.weights().vector(Component.NORM, "post_attention_layernorm", model.hiddenSize());
        if (feedForward.flag("replace_with_linear", false)) {
            model.weights()
                    .linear(Component.MLP, "mlp.linear_mlp", model.hiddenSize(), model.hiddenSize(), Split.REPLICATED);
            return new FeedForward.None();
        }
        int exact = (int) (2 * feedForward.number("ffn_mult", 4) * model.hiddenSize() / 3);
        int width = (exact + WIDTH_STEP - 1) / WIDTH_STEP * WIDTH_STEP;
        FeedForwardBlock.addDenseTensors(model.weights(), Component.MLP, "mlp.", model.hiddenSize(), width, 3, false);
        return new FeedForward.Dense(width, 3);
    }
}
