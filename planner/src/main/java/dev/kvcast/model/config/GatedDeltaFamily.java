package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DataType;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import dev.kvcast.model.Weight.Split;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Qwen3-Next, Qwen3.5 and later hybrids: gated delta net layers with a full-attention layer every
 * {@code full_attention_interval}. Sources: vLLM 0.32 {@code layers/mamba/gdn/qwen_gdn_linear_attn.py},
 * {@code qwen3_next.py}, {@code qwen3_5_mtp.py}.
 */
final class GatedDeltaFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS =
            EnumSet.of(Trait.QK_NORM, Trait.OUTPUT_GATE, Trait.SHARED_GATE, Trait.ATTENTION_BIAS_FIELD);
    private static final Set<Trait> UNGATED_TRAITS =
            EnumSet.of(Trait.QK_NORM, Trait.SHARED_GATE, Trait.ATTENTION_BIAS_FIELD);

    @Override
    public void describe(ModelOutline model) {
        refuseUnknownParts(model.text());
        Set<Trait> traits = model.text().flag("attn_output_gate", true) ? TRAITS : UNGATED_TRAITS;
        AttentionShape attention = AttentionBlock.shape(model);
        StateShape.GatedDelta state = state(model.text());
        FeedForwardBlock feedForward = new FeedForwardBlock(model, traits);
        List<Boolean> full = fullLayers(model);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            Mixer mixer;
            if (full.get(index)) {
                AttentionBlock.add(model, "self_attn.", attention, traits);
                mixer = new Mixer.Full(attention);
            } else {
                addDeltaNet(model, state);
                mixer = new Mixer.Recurrent(state);
            }
            FeedForward block = feedForward.add(index, "mlp.");
            DraftModules.addTwoNorms(model);
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
        addDrafts(model, traits, attention, feedForward);
    }

    private static void refuseUnknownParts(ConfigFields text) {
        if (text.has("hc_count") || text.has("ple_layer_ids") || text.has("indexer_n_heads")) {
            throw InputException.unknownArchitecture(
                    "this Qwen3.8-Flash-Next config has per-layer embeddings, hyper-connections and a sparse indexer, which"
                            + " kvcast does not model yet; use another model of `kvcast models`");
        }
    }

    private static StateShape.GatedDelta state(ConfigFields text) {
        return new StateShape.GatedDelta(
                text.size("linear_num_key_heads"),
                text.size("linear_num_value_heads"),
                text.size("linear_key_head_dim"),
                text.size("linear_value_head_dim"),
                text.size("linear_conv_kernel_dim"));
    }

    /**
     * Full-attention layers. {@code full_attention_interval} wins over a {@code layer_types} that names none: one
     * published Qwen3.8 checkpoint lists every layer as linear.
     */
    private static List<Boolean> fullLayers(ModelOutline model) {
        List<String> types = model.perLayer("layer_types", model.text().texts("layer_types"), 0);
        boolean usable = types.contains("full_attention");
        int interval = model.text().sizeOr(4, "full_attention_interval");
        List<Boolean> full = new ArrayList<>();
        for (int index = 0; index < model.layerCount(); index++) {
            full.add(usable ? isFull(types.get(index)) : interval > 0 && (index + 1) % interval == 0);
        }
        return full;
    }

    private static boolean isFull(String type) {
        return switch (type) {
            case "full_attention" -> true;
            case "linear_attention" -> false;
            default ->
                throw InputException.unknownArchitecture("layer_types has \"" + type
                        + "\"; kvcast knows full_attention and linear_attention for this architecture");
        };
    }

    private static void addDeltaNet(ModelOutline model, StateShape.GatedDelta state) {
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        long keys = (long) state.keyHeads() * state.keyDim();
        long values = (long) state.valueHeads() * state.valueDim();
        weights.linear(Component.STATE_MIXER, "linear_attn.in_proj_qkv", 2 * keys + values, hidden, Split.COLUMN);
        weights.linear(Component.STATE_MIXER, "linear_attn.in_proj_z", values, hidden, Split.COLUMN);
        weights.linear(Component.STATE_MIXER, "linear_attn.in_proj_b", state.valueHeads(), hidden, Split.COLUMN);
        weights.linear(Component.STATE_MIXER, "linear_attn.in_proj_a", state.valueHeads(), hidden, Split.COLUMN);
        weights.matrix(
                Component.STATE_MIXER, "linear_attn.conv1d", 2 * keys + values, state.convKernel(), Split.COLUMN);
        weights.vector(Component.STATE_MIXER, "linear_attn.dt_bias", state.valueHeads(), Split.COLUMN, 0);
        weights.fixed(Component.STATE_MIXER, "linear_attn.A_log", state.valueHeads(), 1, DataType.FLOAT32);
        weights.vector(Component.NORM, "linear_attn.norm", state.valueDim());
        weights.linear(Component.STATE_MIXER, "linear_attn.out_proj", hidden, values, Split.ROW);
    }

    private static void addDrafts(
            ModelOutline model, Set<Trait> traits, AttentionShape attention, FeedForwardBlock feedForward) {
        int drafts = model.text().sizeOr(0, "mtp_num_hidden_layers", "num_nextn_predict_layers");
        if (drafts == 0) {
            return;
        }
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        weights.enterDraft("mtp.");
        weights.linear(Component.MTP, "fc", hidden, 2 * hidden, Split.COLUMN);
        for (String norm : new String[] {"norm", "pre_fc_norm_hidden", "pre_fc_norm_embedding"}) {
            weights.vector(Component.MTP, norm, hidden);
        }
        for (int index = 0; index < drafts; index++) {
            weights.enterDraft("mtp.layers." + index + ".");
            AttentionBlock.add(model, "self_attn.", attention, traits);
            FeedForward block = feedForward.hasExperts()
                    ? feedForward.addExperts("mlp.")
                    : feedForward.addDense("mlp.", model.text().size("intermediate_size"));
            DraftModules.addTwoNorms(model);
            model.addDraftLayer(DecoderLayer.of(new Mixer.Full(attention), block));
        }
    }
}
