package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Falcon-H1: attention and Mamba 2 side by side in every layer. */
final class ParallelHybridFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.of(Trait.ATTENTION_BIAS_FIELD, Trait.MLP_BIAS_FIELD);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        AttentionShape shape = AttentionBlock.shape(model);
        int heads = text.size("mamba_n_heads");
        int inner = text.sizeOr(Math.multiplyExact(text.sizeOr(2, "mamba_expand"), model.hiddenSize()), "mamba_d_ssm");
        StateShape.Mamba2 state = new StateShape.Mamba2(
                heads,
                text.sizeOr(inner / heads, "mamba_d_head"),
                text.size("mamba_d_state"),
                text.sizeOrOne("mamba_n_groups"),
                text.sizeOr(4, "mamba_d_conv"));
        FeedForwardBlock feedForward = new FeedForwardBlock(model, TRAITS);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            AttentionBlock.add(model, "self_attn.", shape, TRAITS);
            StateBlocks.addMamba2(
                    model,
                    "mamba.",
                    state,
                    text.flag("mamba_conv_bias", true),
                    text.flag("mamba_proj_bias", false),
                    text.flag("mamba_rms_norm", false));
            FeedForward block = feedForward.add(index, "feed_forward.");
            model.weights().vector(Component.NORM, "input_layernorm", model.hiddenSize());
            model.weights().vector(Component.NORM, "pre_ff_layernorm", model.hiddenSize());
            model.addLayer(new DecoderLayer(List.of(new Mixer.Full(shape), new Mixer.Recurrent(state)), block));
        }
        model.addEnds(false, false);
    }
}
