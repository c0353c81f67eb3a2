package dev.kvcast.model.config;

import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** DeepSeek V2, V3, V3.2 and models of their shape: latent attention, experts, an optional sparse indexer. */
final class LatentFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS = EnumSet.of(Trait.ROUTER_BIAS);
    private static final Set<Trait> SOFTMAX_TRAITS = EnumSet.noneOf(Trait.class);

    @Override
    public void describe(ModelOutline model) {
        if (!model.text().has("kv_lora_rank")) {
            // DeepSeek V1 style checkpoints under the same name use plain attention.
            new StandardFamily(Trait.NO_WINDOW).describe(model);
            return;
        }
        boolean corrected = model.text().text("topk_method").orElse("greedy").equals("noaux_tc")
                || model.text().text("scoring_func").orElse("softmax").equals("sigmoid")
                || model.architecture().startsWith("Glm");
        FeedForwardBlock feedForward = new FeedForwardBlock(model, corrected ? TRAITS : SOFTMAX_TRAITS);
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            Mixer.Latent mixer = LatentBlock.shape(model, indexer(model, index));
            LatentBlock.add(model, "self_attn.", mixer);
            FeedForward block = feedForward.add(index, "mlp.");
            DraftModules.addTwoNorms(model);
            model.addLayer(DecoderLayer.of(mixer, block));
        }
        model.addEnds(false, false);
        addDrafts(model, feedForward);
    }

    private static void addDrafts(ModelOutline model, FeedForwardBlock feedForward) {
        int drafts = model.text().sizeOr(0, "num_nextn_predict_layers");
        for (int index = 0; index < drafts; index++) {
            DraftModules.enterDeepseekLayer(model, index, !model.architecture().equals("GlmMoeDsaForCausalLM"));
            Mixer.Latent mixer = LatentBlock.shape(model, configuredIndexer(model.text()));
            LatentBlock.add(model, "self_attn.", mixer);
            FeedForward block = feedForward.hasExperts()
                    ? feedForward.addExperts("mlp.")
                    : feedForward.addDense("mlp.", model.text().size("intermediate_size"));
            DraftModules.addTwoNorms(model);
            model.addDraftLayer(DecoderLayer.of(mixer, block));
        }
    }

    private static Mixer.Indexer configuredIndexer(ConfigFields text) {
        return text.has("index_topk")
                ? new Mixer.Indexer(text.size("index_n_heads"), text.size("index_head_dim"), text.size("index_topk"))
                : Mixer.Indexer.NONE;
    }

    /** GLM-5.2 lets a layer reuse the selection of an earlier one, which then has no indexer. */
    private static Mixer.Indexer indexer(ModelOutline model, int index) {
        ConfigFields text = model.text();
        List<String> types = model.perLayer("indexer_types", text.texts("indexer_types"), 0);
        if (!types.isEmpty()) {
            return types.get(index).equals("shared") ? Mixer.Indexer.NONE : configuredIndexer(text);
        }
        int every = text.sizeOr(1, "index_topk_freq");
        int offset = text.sizeOr(2, "index_skip_topk_offset");
        boolean reuses = every > 1 && Math.max(index - offset + 1, 0) % every != 0;
        return reuses ? Mixer.Indexer.NONE : configuredIndexer(text);
    }
}
