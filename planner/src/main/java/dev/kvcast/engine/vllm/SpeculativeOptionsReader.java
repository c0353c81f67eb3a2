package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code --speculative-config} and its shorter flags. */
final class SpeculativeOptionsReader {

    /** A step cannot draft more than the largest graph holds. */
    private static final int MOST_TOKENS = 1024;

    private static final List<String> METHODS = List.of(
            "ngram",
            "ngram_gpu",
            "medusa",
            "mlp_speculator",
            "draft_model",
            "suffix",
            "custom_class",
            "eagle",
            "eagle3",
            "extract_hidden_states",
            "mtp",
            "dflash",
            "dspark");

    private SpeculativeOptionsReader() {}

    static Optional<SpeculativeOptions> read(VllmArguments arguments, List<String> warnings) {
        Map<String, Object> config = new LinkedHashMap<>();
        arguments.object("speculative-config").forEach((key, value) -> config.put(key.replace('-', '_'), value));
        shorthand(arguments, config, "spec-method", "method");
        shorthand(arguments, config, "spec-model", "model");
        shorthand(arguments, config, "spec-tokens", "num_speculative_tokens");
        older(arguments, config);
        if (config.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> model = text(config, "model");
        return Optional.of(new SpeculativeOptions(
                method(config, model, warnings),
                tokens(config, "num_speculative_tokens", MOST_TOKENS),
                model,
                tokens(config, "draft_tensor_parallel_size", Integer.MAX_VALUE),
                text(config, "quantization"),
                Boolean.TRUE.equals(config.get("parallel_drafting")),
                !Boolean.TRUE.equals(config.get("disable_padded_drafter_batch")),
                Boolean.TRUE.equals(config.get("use_heterogeneous_vocab"))));
    }

    private static void shorthand(VllmArguments arguments, Map<String, Object> config, String flag, String key) {
        Optional<String> value = arguments.text(flag);
        if (value.isPresent() && config.containsKey(key)) {
            throw InputException.badInput("--" + flag + " and " + key + " of --speculative-config exclude each other");
        }
        value.ifPresent(text -> config.put(key, text));
    }

    /** Flags of releases before {@code --speculative-config}. */
    private static void older(VllmArguments arguments, Map<String, Object> config) {
        arguments.text("speculative-model").ifPresent(model -> config.putIfAbsent("model", model));
        arguments
                .text("num-speculative-tokens")
                .ifPresent(count -> config.putIfAbsent("num_speculative_tokens", count));
    }

    private static Optional<String> text(Map<String, Object> config, String key) {
        Object value = config.get(key);
        return value instanceof String string && !string.isEmpty() ? Optional.of(string) : Optional.empty();
    }

    private static OptionalInt tokens(Map<String, Object> config, String key, int most) {
        Object value = config.get(key);
        if (value == null) {
            return OptionalInt.empty();
        }
        var number = SizeText.integer(String.valueOf(value));
        if (number.isEmpty() || number.getAsLong() < 1 || number.getAsLong() > most) {
            throw InputException.badInput(key + " of --speculative-config is '"
                    + Printable.shortened(String.valueOf(value)) + "'; expected an integer of 1 to " + most);
        }
        return OptionalInt.of((int) number.getAsLong());
    }

    private static String method(Map<String, Object> config, Optional<String> model, List<String> warnings) {
        Optional<String> given = text(config, "method");
        if (given.isEmpty()) {
            return detected(model);
        }
        String lower = given.get().toLowerCase(Locale.ROOT);
        String method = lower.endsWith("_mtp") || lower.equals("nextn") ? "mtp" : lower.replace("[ngram]", "ngram");
        if (!METHODS.contains(method)) {
            throw InputException.badInput("method of --speculative-config is '" + Printable.shortened(given.get())
                    + "'; expected one of " + String.join(", ", METHODS));
        }
        if (!lower.equals(given.get()) || lower.equals("nextn")) {
            warnings.add("speculative method '" + given.get() + "' was read as " + method);
        }
        return method.equals("draft_model") ? detected(model) : method;
    }

    /** What {@code SpeculativeConfig.__post_init__} concludes from the draft model's name. */
    private static String detected(Optional<String> model) {
        if (model.isEmpty()) {
            throw InputException.badInput("--speculative-config names neither a method nor a model;"
                    + " expected for example '{\"method\": \"mtp\", \"num_speculative_tokens\": 1}'");
        }
        String name = model.get().toLowerCase(Locale.ROOT);
        if (name.equals("ngram") || name.equals("[ngram]")) {
            return "ngram";
        }
        for (String method : List.of("eagle3", "dflash", "dspark")) {
            if (name.contains(method)) {
                return method;
            }
        }
        if (name.contains("eagle-")) {
            return "eagle";
        }
        if (name.endsWith("-assistant")) {
            return name.contains("glimmer") ? "dflash" : "mtp";
        }
        return "draft_model";
    }
}
