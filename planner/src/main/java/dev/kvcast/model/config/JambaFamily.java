package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import java.util.EnumSet;
import java.util.Set;

/** Jamba: Mamba 1 with attention every {@code attn_layer_period} layers and experts every {@code expert_layer_period}. */
final class JambaFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.noneOf(Trait.class);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        AttentionShape shape = AttentionBlock.shape(model);
        int channels = Math.multiplyExact(text.sizeOr(2, "mamba_expand"), model.hiddenSize());
        StateShape.Mamba1 state = new StateShape.Mamba1(
                channels,
                text.sizeOr(16, "mamba_d_state"),
                text.sizeOr(4, "mamba_d_conv"),
                text.sizeOr((model.hiddenSize() + 15) / 16, "mamba_dt_rank"));
        FeedForwardBlock feedForward = new FeedForwardBlock(model, TRAITS);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            boolean attends = due(index, text, "attn_layer");
            Mixer mixer;
            if (attends) {
                AttentionBlock.add(model, "self_attn.", shape, TRAITS);
                mixer = new Mixer.Full(shape);
            } else {
                StateBlocks.addMamba1(model, "mamba.", state, true);
                mixer = new Mixer.Recurrent(state);
            }
            FeedForward block = feedForward.hasExperts() && due(index, text, "expert_layer")
                    ? feedForward.addExperts("feed_forward.")
                    : feedForward.addDense("feed_forward.", text.size("intermediate_size"));
            model.weights().vector(Component.NORM, "input_layernorm", model.hiddenSize());
            model.weights().vector(Component.NORM, "pre_ff_layernorm", model.hiddenSize());
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
    }

    private static boolean due(int index, ConfigFields text, String what) {
        int period = text.size(what + "_period");
        return index % period == text.sizeOr(0, what + "_offset");
    }
}
