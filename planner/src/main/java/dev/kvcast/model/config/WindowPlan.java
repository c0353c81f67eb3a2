package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which layers of a standard decoder see everything, a sliding window or a chunk. */
final class WindowPlan {

    private WindowPlan() {}

    /** How far back one layer sees. */
    sealed interface Span {
        /** The mixer of a layer with these heads. */
        Mixer mixer(AttentionShape shape);
    }

    /** Everything. */
    record Whole() implements Span {
        @Override
        public Mixer mixer(AttentionShape shape) {
            return new Mixer.Full(shape);
        }
    }

    /** The last tokens. */
    record Window(int tokens) implements Span {
        @Override
        public Mixer mixer(AttentionShape shape) {
            return new Mixer.Sliding(shape, tokens);
        }
    }

    /** The current chunk. */
    record Chunk(int tokens) implements Span {
        @Override
        public Mixer mixer(AttentionShape shape) {
            return new Mixer.Chunked(shape, tokens);
        }
    }

    /** Whether a span is a sliding window. */
    static boolean sliding(Span span) {
        return span instanceof Window;
    }

    /** The span of every layer, from {@code layer_types} or the older fields that it replaced. */
    static List<Span> read(ModelOutline model, Set<Trait> traits) {
        ConfigFields text = model.text();
        int window = window(text, traits);
        List<String> types = model.perLayer("layer_types", text.texts("layer_types"), 0);
        List<Integer> pattern = text.isList("hybrid_layer_pattern")
                ? model.perLayer("hybrid_layer_pattern", text.sizes("hybrid_layer_pattern"), 0)
                : List.of();
        List<Span> spans = new ArrayList<>();
        for (int index = 0; index < model.layerCount(); index++) {
            if (!types.isEmpty()) {
                spans.add(ofType(types.get(index), window, text));
            } else if (!pattern.isEmpty()) {
                spans.add(pattern.get(index) != 0 ? windowOrWhole(window) : new Whole());
            } else {
                spans.add(ofOlderFields(index, window, model, traits));
            }
        }
        return spans;
    }

    private static int window(ConfigFields text, Set<Trait> traits) {
        if (traits.contains(Trait.NO_WINDOW)
                || (traits.contains(Trait.WINDOW_FLAG) && !text.flag("use_sliding_window", false))) {
            return 0;
        }
        if (text.isList("sliding_window")) {
            return text.sizes("sliding_window").stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
        }
        return text.sizeOr(0, "sliding_window", "sliding_window_size");
    }

    private static Span ofType(String type, int window, ConfigFields text) {
        return switch (type) {
            case "full_attention", "attention", "deepseek_sparse_attention", "global_attention" -> new Whole();
            case "sliding_attention", "local_attention", "sliding" -> windowOrWhole(window);
            case "chunked_attention" -> new Chunk(text.size("attention_chunk_size"));
            default ->
                throw InputException.unknownArchitecture("layer_types has \"" + type
                        + "\", which kvcast does not model for this architecture; use a model from `kvcast models`");
        };
    }

    private static Span windowOrWhole(int window) {
        return window > 0 ? new Window(window) : new Whole();
    }

    private static Span ofOlderFields(int index, int window, ModelOutline model, Set<Trait> traits) {
        ConfigFields text = model.text();
        if (text.has("attention_chunk_size") && text.has("interleave_moe_layer_step")) {
            return chunkedOrWhole(index, text);
        }
        if (window == 0) {
            return new Whole();
        }
        if (traits.contains(Trait.ALTERNATE_WINDOWS)) {
            return index % 2 == 0 ? new Window(window) : new Whole();
        }
        if (traits.contains(Trait.SIXTH_LAYER_FULL) || text.has("sliding_window_pattern")) {
            return patterned(index, window, model);
        }
        if (traits.contains(Trait.WINDOW_FLAG)) {
            return index >= text.sizeOr(28, "max_window_layers") ? new Window(window) : new Whole();
        }
        return new Window(window);
    }

    private static Span patterned(int index, int window, ModelOutline model) {
        ConfigFields text = model.text();
        if (text.raw().get("sliding_window_pattern") instanceof String letters) {
            // EXAONE 4: "LLLG", and the last layer is always global.
            boolean local = letters.charAt(index % letters.length()) == 'L' && index != model.layerCount() - 1;
            return local ? new Window(window) : new Whole();
        }
        int every = text.has("sliding_window_pattern") ? text.size("sliding_window_pattern") : 6;
        return (index + 1) % every == 0 ? new Whole() : new Window(window);
    }

    /** Llama 4: every fourth layer has no rotary embedding and sees everything. */
    private static Span chunkedOrWhole(int index, ConfigFields text) {
        List<Integer> rotary = text.isList("no_rope_layers") ? text.sizes("no_rope_layers") : List.of();
        boolean local = index < rotary.size()
                ? rotary.get(index) != 0
                : (index + 1) % Math.max(1, text.sizeOr(4, "no_rope_layer_interval")) != 0;
        return local ? new Chunk(text.size("attention_chunk_size")) : new Whole();
    }
}
