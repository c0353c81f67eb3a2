package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.Weight.Split;
import java.util.EnumSet;
import java.util.Set;

/** Multi-token-prediction modules that ship inside a checkpoint. */
final class DraftModules {

    private DraftModules() {}

    /** Adds {@code num_nextn_predict_layers} standard layers, each joining the embedding and the last hidden state. */
    static void add(ModelOutline model, Set<Trait> traits, AttentionShape shape, FeedForwardBlock feedForward) {
        int count = model.text().sizeOr(0, "num_nextn_predict_layers", "num_mtp_layers");
        for (int index = 0; index < count; index++) {
            if (traits.contains(Trait.DRAFT_DENSE)) {
                addDense(model, traits, shape, feedForward, index);
            } else if (traits.contains(Trait.DRAFT_SPARSE)) {
                enterDeepseekLayer(model, index, true);
                AttentionBlock.add(model, "self_attn.", shape, traits);
                FeedForward block = feedForward.addExperts("mlp.");
                addTwoNorms(model);
                model.addDraftLayer(DecoderLayer.of(new Mixer.Full(shape), block));
            }
        }
    }

    /** MiMo: one dense layer with its own joining projection. */
    private static void addDense(
            ModelOutline model, Set<Trait> traits, AttentionShape shape, FeedForwardBlock feedForward, int index) {
        model.weights().enterDraft("model.mtp_layers." + index + ".");
        int hidden = model.hiddenSize();
        model.weights().linear(Component.MTP, "input_proj", hidden, 2L * hidden, Split.REPLICATED);
        for (String norm : new String[] {"token_layernorm", "hidden_layernorm", "final_layernorm"}) {
            model.weights().vector(Component.MTP, norm, hidden);
        }
        AttentionBlock.add(model, "self_attn.", shape, EnumSet.copyOf(traits));
        FeedForward block = feedForward.addDense("mlp.", model.text().size("intermediate_size"));
        addTwoNorms(model);
        model.addDraftLayer(DecoderLayer.of(new Mixer.Full(shape), block));
    }

    /** Starts a DeepSeek-style draft layer: it follows the stack's numbering and carries copies of both ends. */
    static void enterDeepseekLayer(ModelOutline model, int index, boolean copiesEnds) {
        WeightCollector weights = model.weights();
        int hidden = model.hiddenSize();
        weights.enterDraft("model.layers." + (model.layerCount() + index) + ".");
        weights.matrix(Component.MTP, "eh_proj", hidden, 2L * hidden, Split.REPLICATED);
        weights.vector(Component.MTP, "enorm", hidden);
        weights.vector(Component.MTP, "hnorm", hidden);
        weights.vector(Component.MTP, "shared_head.norm", hidden);
        if (copiesEnds) {
            weights.matrix(Component.MTP_COPY, "embed_tokens", model.vocabularySize(), hidden, Split.VOCABULARY);
            weights.matrix(Component.MTP_COPY, "shared_head.head", model.vocabularySize(), hidden, Split.VOCABULARY);
        }
    }

    /** The two norms of a standard layer. */
    static void addTwoNorms(ModelOutline model) {
        model.weights().vector(Component.NORM, "input_layernorm", model.hiddenSize());
        model.weights().vector(Component.NORM, "post_attention_layernorm", model.hiddenSize());
    }
}
