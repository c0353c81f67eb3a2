package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** MiniMax-Text-01 and M1: lightning attention with full attention where {@code attn_type_list} is 1. */
final class LightningFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.of(Trait.SHARED_SIZE_FIELD);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        AttentionShape shape = AttentionBlock.shape(model);
        StateShape.Linear state = new StateShape.Linear(shape.queryHeads(), shape.headDim());
        List<Integer> full = model.perLayer("attn_type_list", text.sizes("attn_type_list"), 0);
        FeedForwardBlock feedForward = new FeedForwardBlock(model, TRAITS);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            Mixer mixer;
            if (full.isEmpty() || full.get(index) == 1) {
                AttentionBlock.add(model, "self_attn.", shape, TRAITS);
                mixer = new Mixer.Full(shape);
            } else {
                StateBlocks.addLinear(model, "self_attn.", state);
                mixer = new Mixer.Recurrent(state);
            }
            FeedForward block = feedForward.add(index, "block_sparse_moe.");
            DraftModules.addTwoNorms(model);
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
    }
}
