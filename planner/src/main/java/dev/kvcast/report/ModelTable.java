package dev.kvcast.report;

import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Placement;
import dev.kvcast.model.WeightBytes;
import dev.kvcast.report.Table.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One model as tables and JSON. */
public final class ModelTable {

    private ModelTable() {}

    /** One row a fact. */
    public static Table facts(ModelConfig model) {
        Table.Builder table = Table.builder(Column.words("fact"), Column.words(model.id()));
        table.row("architecture", model.architecture());
        table.row("parameters", Units.count(model.parameters()));
        table.row(
                "weights as",
                model.quantization().method() + ", "
                        + Units.lowerCase(model.dtype().name()));
        table.row("hidden size, vocabulary", model.hiddenSize() + ", " + Units.count(model.vocabularySize()));
        table.row("longest sequence", Units.count(model.maxModelLength()) + " tokens");
        layerKinds(model).forEach((kind, count) -> table.row(count + " layers", kind));
        if (!model.draftLayers().isEmpty()) {
            table.row("draft layers", String.valueOf(model.draftLayers().size()));
        }
        if (model.encoder().present()) {
            table.row("also takes", String.join(", ", model.encoder().modalities()));
        }
        return table.build();
    }

    /** Parameters and loaded bytes of each component. */
    public static Table components(ModelConfig model) {
        WeightBytes bytes = WeightBytes.of(model, Placement.tensor(1).withDraft(true));
        Table.Builder table = Table.builder(
                Column.words("component"), Column.numbers("parameters"), Column.numbers("GiB on one GPU"));
        for (Component component : Component.values()) {
            if (bytes.of(component) > 0 && component.inCheckpoint()) {
                table.row(
                        component.label(),
                        Units.count(model.parameters(component)),
                        Units.fixed((double) bytes.of(component) / Units.GIB, 3));
            }
        }
        return table.build();
    }

    /** The same for scripts. */
    public static JsonObject json(ModelConfig model) {
        WeightBytes bytes = WeightBytes.of(model, Placement.tensor(1).withDraft(true));
        JsonObject components = new JsonObject();
        for (Component component : Component.values()) {
            if (bytes.of(component) > 0) {
                components.put(
                        component.label(),
                        new JsonObject()
                                .put("parameters", model.parameters(component))
                                .put("bytes", bytes.of(component)));
            }
        }
        List<JsonObject> layers = new ArrayList<>();
        layerKinds(model)
                .forEach((kind, count) ->
                        layers.add(new JsonObject().put("kind", kind).put("layers", count)));
        return new JsonObject()
                .put("schema", PlanJson.SCHEMA)
                .put("model", model.id())
                .put("architecture", model.architecture())
                .put("parameters", model.parameters())
                .put("quantization", model.quantization().method())
                .put("dtype", Units.lowerCase(model.dtype().name()))
                .put("hidden_size", model.hiddenSize())
                .put("vocabulary_size", model.vocabularySize())
                .put("max_model_len", model.maxModelLength())
                .put("layers", layers)
                .put("draft_layers", model.draftLayers().size())
                .put("modalities", model.encoder().modalities())
                .put("components", components);
    }

    private static Map<String, Integer> layerKinds(ModelConfig model) {
        Map<String, Integer> kinds = new LinkedHashMap<>();
        for (DecoderLayer layer : model.layers()) {
            List<String> parts = new ArrayList<>();
            for (Mixer mixer : layer.mixers()) {
                parts.add(mixer(mixer));
            }
            parts.add(feedForward(layer.feedForward()));
            parts.removeIf(String::isEmpty);
            kinds.merge(String.join(" + ", parts), 1, Integer::sum);
        }
        return kinds;
    }

    private static String mixer(Mixer mixer) {
        if (mixer instanceof Mixer.Full full) {
            return "full attention, " + full.shape().queryHeads() + "/"
                    + full.shape().kvHeads() + " heads of " + full.shape().headDim();
        }
        if (mixer instanceof Mixer.Sliding sliding) {
            return "window of " + sliding.windowTokens() + ", "
                    + sliding.shape().queryHeads() + "/" + sliding.shape().kvHeads() + " heads of "
                    + sliding.shape().headDim();
        }
        if (mixer instanceof Mixer.Chunked chunked) {
            return "chunks of " + chunked.chunkTokens() + ", " + chunked.shape().queryHeads() + "/"
                    + chunked.shape().kvHeads() + " heads of " + chunked.shape().headDim();
        }
        if (mixer instanceof Mixer.Latent latent) {
            String window = latent.windowTokens() > 0 ? " in a window of " + latent.windowTokens() : "";
            String compressed = latent.tokensPerState() > 1 ? " for every " + latent.tokensPerState() + " tokens" : "";
            return "latent of " + latent.storedElements() + window + compressed
                    + (latent.indexer().present() ? " with index" : "");
        }
        if (mixer instanceof Mixer.Recurrent recurrent) {
            return "state: " + recurrent.state().getClass().getSimpleName();
        }
        if (mixer instanceof Mixer.Shared) {
            return "attention over another layer's cache";
        }
        return mixer instanceof Mixer.Cross ? "cross-attention" : "encoder attention";
    }

    private static String feedForward(FeedForward block) {
        if (block instanceof FeedForward.Dense dense) {
            return "MLP of " + dense.intermediate();
        }
        if (block instanceof FeedForward.Experts experts) {
            return experts.experts() + " experts of " + experts.intermediate() + ", " + experts.expertsPerToken()
                    + " a token" + (experts.sharedIntermediate() > 0 ? ", shared " + experts.sharedIntermediate() : "");
        }
        return "";
    }
}
