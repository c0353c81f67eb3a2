package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import dev.kvcast.model.Weight.Split;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Kimi Linear and Kimi K3: Kimi delta attention with latent attention in the layers that
 * {@code linear_attn_config.full_attn_layers} numbers from 1. Source: vLLM 0.32 {@code models/kimi_k3}.
 */
final class KimiLinearFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.of(Trait.ROUTER_BIAS);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        ConfigFields linear = text.object("linear_attn_config")
                .orElseThrow(() -> InputException.badInput("linear_attn_config is missing from the model's config"));
        List<Integer> full = linear.sizes("full_attn_layers");
        StateShape.KimiDelta state = new StateShape.KimiDelta(
                linear.size("num_heads"), linear.size("head_dim"), linear.size("short_conv_kernel_size"));
        Mixer.Latent latent = LatentBlock.shape(model, Mixer.Indexer.NONE);
        FeedForwardBlock feedForward = new FeedForwardBlock(model, TRAITS);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            Mixer mixer;
            if (full.contains(index + 1)) {
                LatentBlock.add(model, "self_attn.", latent);
                if (text.flag("mla_use_output_gate", false)) {
                    model.weights()
                            .linear(
                                    Component.ATTENTION,
                                    "self_attn.g_proj",
                                    (long) latent.queryHeads() * latent.valueDim(),
                                    model.hiddenSize(),
                                    Split.COLUMN);
                }
                mixer = latent;
            } else {
                StateBlocks.addKimiDelta(model, "self_attn.", state, linear.flag("use_full_rank_gate", false));
                mixer = new Mixer.Recurrent(state);
            }
            FeedForward block = feedForward.add(index, "block_sparse_moe.");
            DraftModules.addTwoNorms(model);
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
    }
}
