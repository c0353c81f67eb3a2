package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** LFM2: gated short convolutions with attention where {@code layer_types} (or {@code full_attn_idxs}) says so. */
final class ShortConvFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.of(Trait.QK_NORM, Trait.ROUTER_BIAS);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        AttentionShape shape = AttentionBlock.shape(model);
        StateShape.ShortConv state =
                new StateShape.ShortConv(text.sizeOr(model.hiddenSize(), "conv_dim"), text.sizeOr(3, "conv_L_cache"));
        List<String> types = model.perLayer("layer_types", text.texts("layer_types"), 0);
        List<Integer> attending = text.sizes("full_attn_idxs");
        FeedForwardBlock feedForward = new FeedForwardBlock(model, TRAITS);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            Mixer mixer;
            if (types.isEmpty() ? attending.contains(index) : attends(types.get(index))) {
                AttentionBlock.add(model, "self_attn.", shape, TRAITS);
                mixer = new Mixer.Full(shape);
            } else {
                StateBlocks.addShortConv(model, "conv.", state, text.flag("conv_bias", false));
                mixer = new Mixer.Recurrent(state);
            }
            FeedForward block = feedForward.sparse(index)
                    ? feedForward.addExperts("feed_forward.")
                    : feedForward.addDense("feed_forward.", width(text));
            model.weights().vector(Component.NORM, "operator_norm", model.hiddenSize());
            model.weights().vector(Component.NORM, "ffn_norm", model.hiddenSize());
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
    }

    private static boolean attends(String type) {
        return switch (type) {
            case "full_attention" -> true;
            case "conv" -> false;
            default ->
                throw InputException.unknownArchitecture(
                        "layer_types has \"" + type + "\"; kvcast knows conv and full_attention for this architecture");
        };
    }

    /** The stated width is cut to two thirds and rounded up unless the config says otherwise. */
    private static int width(ConfigFields text) {
        int stated = text.size("block_ff_dim", "intermediate_size");
        if (!text.has("block_ff_dim") || !text.flag("block_auto_adjust_ff_dim", true)) {
            return stated;
        }
        int adjusted = (int) (text.number("block_ffn_dim_multiplier", 1.0) * Math.floor(2.0 * stated / 3));
        int step = text.sizeOr(256, "block_multiple_of");
        return (adjusted + step - 1) / step * step;
    }
}
