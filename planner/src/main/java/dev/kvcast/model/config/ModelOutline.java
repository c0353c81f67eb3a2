package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Weight.Split;
import java.util.ArrayList;
import java.util.List;

/** What a family has found out about a model so far; {@link ConfigReader} turns it into a model. */
final class ModelOutline {

    private final ConfigFields text;
    private final String architecture;
    private final WeightCollector weights = new WeightCollector();
    private final List<DecoderLayer> layers = new ArrayList<>();
    private final List<DecoderLayer> draftLayers = new ArrayList<>();
    private final int hiddenSize;
    private final int vocabularySize;
    private final int layerCount;

    /** Beyond any model; each layer is listed weight by weight. */
    private static final int MOST_LAYERS = 10_000;

    ModelOutline(String architecture, ConfigFields text) {
        this.architecture = architecture;
        this.text = text;
        this.hiddenSize = text.size("hidden_size", "n_embd", "d_model");
        this.vocabularySize = text.size("vocab_size");
        this.layerCount = layerCount(text);
        if (layerCount > MOST_LAYERS) {
            throw InputException.badInput(
                    "num_hidden_layers is " + layerCount + "; expected at most " + MOST_LAYERS + ", check config.json");
        }
    }

    /** The stated count, or the length of the list that replaces it (Nemotron 3 Ultra states none). */
    private static int layerCount(ConfigFields text) {
        int listed = text.isList("layers_block_type")
                ? text.texts("layers_block_type").size()
                : 0;
        return listed > 0 && !text.has("num_hidden_layers")
                ? listed
                : text.size("num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers");
    }

    /** The language model's own fields. */
    ConfigFields text() {
        return text;
    }

    String architecture() {
        return architecture;
    }

    WeightCollector weights() {
        return weights;
    }

    /** Width of the residual stream. */
    int hiddenSize() {
        return hiddenSize;
    }

    int vocabularySize() {
        return vocabularySize;
    }

    /** Decoder layers the config announces. */
    int layerCount() {
        return layerCount;
    }

    boolean tied() {
        return text.flag("tie_word_embeddings", false);
    }

    void addLayer(DecoderLayer layer) {
        layers.add(layer);
    }

    void addDraftLayer(DecoderLayer layer) {
        draftLayers.add(layer);
    }

    List<DecoderLayer> layers() {
        return layers;
    }

    List<DecoderLayer> draftLayers() {
        return draftLayers;
    }

    /** Embedding, final norm and, unless tied, the output head. */
    void addEnds(boolean normBias, boolean headBias) {
        weights.enterModule("");
        weights.linear(Component.EMBEDDING, "model.embed_tokens", vocabularySize, hiddenSize, Split.VOCABULARY);
        weights.vector(Component.NORM, "model.norm", hiddenSize);
        if (normBias) {
            weights.vector(Component.NORM, "model.norm.bias", hiddenSize);
        }
        if (!tied()) {
            weights.linear(Component.LM_HEAD, "lm_head", vocabularySize, hiddenSize, Split.VOCABULARY);
        }
        if (headBias) {
            weights.vector(Component.LM_HEAD, "lm_head.bias", vocabularySize, Split.VOCABULARY, 0);
        }
    }

    /** A per-layer list, checked for length. */
    <T> List<T> perLayer(String name, List<T> values, int extra) {
        if (!values.isEmpty() && values.size() != layerCount && values.size() != layerCount + extra) {
            throw InputException.badInput(name + " has " + values.size() + " entries for num_hidden_layers "
                    + layerCount + "; give one entry per layer");
        }
        return values;
    }
}
