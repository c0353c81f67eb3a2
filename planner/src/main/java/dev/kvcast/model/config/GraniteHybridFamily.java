package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Granite 4: Mamba 2 or attention by {@code layer_types}; optional experts beside one always-used block. */
final class GraniteHybridFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.of(Trait.SHARED_SIZE_FIELD, Trait.ATTENTION_BIAS_FIELD);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        AttentionShape shape = AttentionBlock.shape(model);
        List<String> types = model.perLayer("layer_types", text.texts("layer_types"), 0);
        FeedForwardBlock feedForward = new FeedForwardBlock(model, TRAITS);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            Mixer mixer;
            if (!types.isEmpty() && types.get(index).equals("mamba")) {
                StateShape.Mamba2 state = state(text);
                StateBlocks.addMamba2(
                        model,
                        "mamba.",
                        state,
                        text.flag("mamba_conv_bias", true),
                        text.flag("mamba_proj_bias", false),
                        true);
                mixer = new Mixer.Recurrent(state);
            } else {
                AttentionBlock.add(model, "self_attn.", shape, TRAITS);
                mixer = new Mixer.Full(shape);
            }
            FeedForward block = feedForward.hasExperts()
                    ? feedForward.addExperts("block_sparse_moe.")
                    : feedForward.addDense("shared_mlp.", text.size("shared_intermediate_size"));
            DraftModules.addTwoNorms(model);
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
    }

    private static StateShape.Mamba2 state(ConfigFields text) {
        return new StateShape.Mamba2(
                text.sizeOr(128, "mamba_n_heads"),
                text.sizeOr(64, "mamba_d_head"),
                text.sizeOr(128, "mamba_d_state"),
                text.sizeOrOne("mamba_n_groups"),
                text.sizeOr(4, "mamba_d_conv"));
    }
}
