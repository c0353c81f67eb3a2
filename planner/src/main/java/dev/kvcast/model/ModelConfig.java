package dev.kvcast.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What kvcast knows of a model: the typed view of its {@code config.json}, nested text configs resolved.
 *
 * @param id name shown to people, {@code organization/name} where known
 * @param architecture the first model class the config names
 * @param modelType {@code model_type} of the outer config
 * @param dtype type of unquantized weights and activations
 * @param hiddenSize width of the residual stream
 * @param vocabularySize rows of the embedding
 * @param tiedEmbeddings whether the output head reuses the embedding
 * @param maxModelLength longest sequence in tokens the config allows, rope scaling included
 * @param layers decoder layers in order
 * @param draftLayers layers of the built-in multi-token-prediction module, empty without one
 * @param stateDtypes types of recurrent state
 * @param quantization how linear weights are stored
 * @param kvCacheDtype the KV-cache type that the checkpoint itself asks for (a {@code kv_cache_scheme})
 * @param encoder multimodal facts
 * @param residualStreams parallel copies of the residual stream (hyper-connections), usually 1
 * @param rotaryCacheBytes tables of rotary position sines and cosines, which every rank holds
 * @param weights every weight tensor, merged by shape
 */
public record ModelConfig(
        String id,
        String architecture,
        String modelType,
        DataType dtype,
        int hiddenSize,
        int vocabularySize,
        boolean tiedEmbeddings,
        long maxModelLength,
        List<DecoderLayer> layers,
        List<DecoderLayer> draftLayers,
        StateDtypes stateDtypes,
        Quantization quantization,
        Optional<String> kvCacheDtype,
        Encoder encoder,
        int residualStreams,
        long rotaryCacheBytes,
        List<Weight> weights) {

    /** Components that differ by less than one part in this many are taken as computed. */
    private static final long SAME_SHARE = 1000;

    /** Checks sizes and copies lists. */
    public ModelConfig {
        Sizes.positive("hidden_size", hiddenSize);
        Sizes.positive("vocab_size", vocabularySize);
        Sizes.positive("max_position_embeddings", maxModelLength);
        layers = sharingEqual(layers);
        draftLayers = List.copyOf(draftLayers);
        weights = List.copyOf(weights);
    }

    /** Equal layers become one object, so that what is derived from a layer is derived once. */
    private static List<DecoderLayer> sharingEqual(List<DecoderLayer> layers) {
        Map<DecoderLayer, DecoderLayer> known = new HashMap<>();
        List<DecoderLayer> shared = new ArrayList<>(layers.size());
        for (DecoderLayer layer : layers) {
            DecoderLayer first = known.putIfAbsent(layer, layer);
            shared.add(first == null ? layer : first);
        }
        return List.copyOf(shared);
    }

    /**
     * Types that the config asks for in recurrent state.
     *
     * @param conv convolution window
     * @param recurrent recurrent state
     */
    public record StateDtypes(DataType conv, DataType recurrent) {}

    /**
     * The multimodal front end.
     *
     * @param modalities what it takes, for example {@code image}; empty for a text model
     * @param maxItemTokens most decoder tokens one item (image, video, audio clip) can become, 0 for a text model
     * @param patchesPerToken tower positions merged into one decoder token
     * @param hiddenSize width of the tower, 0 where it is not known
     * @param intermediateSize inner width of the tower's dense blocks, 0 where it is not known
     */
    public record Encoder(
            List<String> modalities, int maxItemTokens, int patchesPerToken, int hiddenSize, int intermediateSize) {
        /** A text-only model. */
        public static final Encoder NONE = new Encoder(List.of(), 0, 1, 0, 0);

        /** Copies the list. */
        public Encoder {
            modalities = List.copyOf(modalities);
        }

        /** Whether the model takes anything but text. */
        public boolean present() {
            return !modalities.isEmpty();
        }
    }

    /** The model with its weights stored another way. */
    public ModelConfig withQuantization(Quantization other) {
        return copy(id, kvCacheDtype, other, other.apply(weights));
    }

    /** The model under another name. */
    public ModelConfig withId(String other) {
        return copy(other, kvCacheDtype, quantization, weights);
    }

    /** The model with a KV-cache type that its checkpoint asks for. */
    public ModelConfig withKvCacheDtype(String name) {
        return copy(id, Optional.of(name), quantization, weights);
    }

    /**
     * The model with its weights as large as a checkpoint's own headers say.
     *
     * @param exact bytes of the components that the headers account for
     */
    public ModelConfig withBytes(Map<Component, Long> exact) {
        WeightBytes computed =
                WeightBytes.of(this, Placement.tensor(1).withFrontEnd(true).withDraft(true));
        List<Weight> corrected = new ArrayList<>(weights.size());
        for (Weight weight : weights) {
            long known = exact.getOrDefault(weight.component(), 0L);
            long own = computed.of(weight.component());
            boolean differs = known > 0 && own > 0 && Math.abs(known - own) > own / SAME_SHARE;
            corrected.add(differs ? weight.scaled((double) known / own, dtype) : weight);
        }
        return copy(id, kvCacheDtype, quantization, corrected);
    }

    private ModelConfig copy(
            String newId, Optional<String> newKvCacheDtype, Quantization newQuantization, List<Weight> newWeights) {
        return new ModelConfig(
                newId,
                architecture,
                modelType,
                dtype,
                hiddenSize,
                vocabularySize,
                tiedEmbeddings,
                maxModelLength,
                layers,
                draftLayers,
                stateDtypes,
                newQuantization,
                newKvCacheDtype,
                encoder,
                residualStreams,
                rotaryCacheBytes,
                newWeights);
    }

    /** Parameters in the checkpoint of the given components; of all components when none is given. */
    public long parameters(Component... components) {
        List<Component> wanted = List.of(components);
        long sum = 0;
        for (Weight weight : weights) {
            if (wanted.isEmpty() ? weight.component().inCheckpoint() : wanted.contains(weight.component())) {
                sum = Math.addExact(sum, weight.parameters());
            }
        }
        return sum;
    }
}
