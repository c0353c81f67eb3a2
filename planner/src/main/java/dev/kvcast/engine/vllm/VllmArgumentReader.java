package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the words of a {@code vllm serve} line against the flag table, the way {@code utils/argparse_utils.py} does:
 * underscores for dashes, {@code --flag=value}, abbreviations, {@code --no-flag}, {@code --json.key value}, {@code -O3}.
 * What argparse would refuse but people write in notes ({@code dtype=float16}, {@code TP=4}) is taken with a warning.
 */
final class VllmArgumentReader {

    /** How notes abbreviate parallel sizes. */
    private static final Map<String, String> SHORTHAND = Map.of(
            "TP", "tensor-parallel-size",
            "PP", "pipeline-parallel-size",
            "DP", "data-parallel-size",
            "DCP", "decode-context-parallel-size");

    private final VllmFlags table;
    private final List<String> words;
    private final VllmArguments arguments;
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private int at;

    VllmArgumentReader(VllmFlags table, List<String> words) {
        this.table = table;
        this.words = words;
        this.arguments = new VllmArguments(table);
    }

    /** Reads every word. */
    VllmArguments read() {
        while (at < words.size()) {
            String word = words.get(at++);
            if (word.startsWith("--") && word.length() > 2) {
                longOption(word.substring(2));
            } else if (word.startsWith("-") && word.length() > 1 && !WordKinds.isNumber(word)) {
                shortOption(word.substring(1));
            } else {
                stray(word);
            }
        }
        return arguments;
    }

    /** What the user should know. */
    List<String> warnings() {
        return warnings;
    }

    /** Environment assignments found among the flags. */
    Map<String, String> environment() {
        return environment;
    }

    private void longOption(String option) {
        int equals = option.indexOf('=');
        String name = equals < 0 ? option : option.substring(0, equals);
        Optional<String> value = equals < 0 ? Optional.empty() : Optional.of(option.substring(equals + 1));
        int dot = name.indexOf('.');
        if (dot > 0) {
            dotted(name, dot, value);
            return;
        }
        Optional<VllmFlag> flag = table.find(name);
        if (flag.isPresent()) {
            apply(flag.get(), "--" + name, value);
        } else if (!negated(name, value)) {
            unknown("--" + name, name, value);
        }
    }

    private boolean negated(String name, Optional<String> value) {
        if (!name.startsWith("no-") && !name.startsWith("no_")) {
            return false;
        }
        Optional<VllmFlag> flag = table.find(name.substring(3));
        if (flag.isEmpty() || flag.get().kind() != VllmFlag.Kind.BOOLEAN) {
            return false;
        }
        if (value.isPresent()) {
            throw InputException.badInput(
                    "--" + name + " takes no value, but '" + Printable.shortened(value.get()) + "' was given");
        }
        arguments.clear(flag.get());
        return true;
    }

    /** Flags kvcast does not know are named, and so is what they might mean. */
    private void unknown(String shown, String name, Optional<String> value) {
        String hint = table.closest(name)
                .map(flag -> "; did you mean " + flag.dashed() + "?")
                .orElse("");
        warnings.add("unknown vLLM flag " + Printable.shortened(shown) + " was ignored" + hint);
        if (value.isEmpty() && at < words.size() && WordKinds.isValue(words.get(at))) {
            at++;
        }
    }

    private void shortOption(String option) {
        int equals = option.indexOf('=');
        String name = equals < 0 ? option : option.substring(0, equals);
        Optional<String> value = equals < 0 ? Optional.empty() : Optional.of(option.substring(equals + 1));
        if (name.startsWith("O") && !name.startsWith("O.")) {
            optimization(name.substring(1), value);
            return;
        }
        int dot = name.indexOf('.');
        if (dot > 0) {
            dotted(name, dot, value);
            return;
        }
        Optional<VllmFlag> flag = table.exactly(name);
        if (flag.isPresent()) {
            apply(flag.get(), "-" + name, value);
        } else if (name.length() > 1 && table.exactly(name.substring(0, 1)).isPresent()) {
            apply(table.exactly(name.substring(0, 1)).get(), "-" + name, Optional.of(option.substring(1)));
        } else {
            unknown("-" + name, name, value);
        }
    }

    /** {@code -O3}, {@code -O 3}, {@code -O=3}, and {@code -O '{...}'} of releases before 0.12. */
    private void optimization(String attached, Optional<String> value) {
        String level = value.orElse(attached);
        if (level.isEmpty()) {
            level = at < words.size() ? words.get(at++) : "";
        }
        if (level.startsWith("{")) {
            json(table.named("compilation-config"), "-O", level);
        } else {
            arguments.set(table.named("optimization-level"), List.of(level));
        }
    }

    private void dotted(String name, int dot, Optional<String> value) {
        String head = name.startsWith("O.") ? "compilation-config" : name.substring(0, dot);
        Optional<VllmFlag> flag = table.find(head);
        String shown = "--" + name;
        if (flag.isEmpty() || flag.get().kind() != VllmFlag.Kind.JSON) {
            unknown(shown, head, value);
            return;
        }
        boolean list = name.endsWith("+");
        List<String> path = new ArrayList<>();
        for (String key : name.substring(dot + 1, list ? name.length() - 1 : name.length())
                .split("\\.", -1)) {
            path.add(key);
        }
        String text = value.orElseGet(() -> next(shown));
        Object parsed = list ? List.of(text.split(",", -1)) : scalar(text);
        arguments.merge(flag.get(), path, parsed);
    }

    private static Object scalar(String text) {
        Optional<Object> json = JsonValue.value(text);
        if (json.isPresent()) {
            return json.get();
        }
        return SizeText.parse(text).isPresent() ? (Object) SizeText.parse(text).getAsLong() : text;
    }

    private void apply(VllmFlag flag, String shown, Optional<String> value) {
        switch (flag.kind()) {
            case BOOLEAN, SWITCH -> {
                if (value.isPresent()) {
                    throw InputException.badInput(
                            shown + " takes no value, but '" + Printable.shortened(value.get()) + "' was given"
                                    + (flag.kind() == VllmFlag.Kind.BOOLEAN
                                            ? "; use --no-" + flag.name() + " to turn it off"
                                            : ""));
                }
                arguments.set(flag, List.of());
            }
            case LIST -> arguments.set(flag, value.isPresent() ? List.of(value.get()) : following(shown));
            case JSON -> json(flag, shown, value.orElseGet(() -> next(shown)));
            case OPTIONAL -> {
                if (value.isEmpty() && at < words.size() && WordKinds.isValue(words.get(at))) {
                    at++;
                }
                arguments.set(flag, List.of());
            }
            default -> arguments.set(flag, List.of(value.orElseGet(() -> next(shown))));
        }
    }

    private void json(VllmFlag flag, String shown, String text) {
        Optional<Map<String, Object>> object = JsonValue.object(text);
        if (object.isPresent()) {
            arguments.setObject(flag, object.get());
            return;
        }
        Optional<Map<String, Object>> notes = LooseObject.read(flag.name(), text);
        if (notes.isPresent()) {
            warnings.add(shown + " '" + Printable.shortened(text) + "' is not JSON; read as " + notes.get());
            arguments.setObject(flag, notes.get());
        } else if (flag.effect() == VllmFlag.Effect.NONE || text.equals("None") || text.isEmpty()) {
            arguments.set(flag, List.of());
        } else {
            throw flag.refuse(text, "a JSON object such as '{\"key\": 1}'");
        }
    }

    private List<String> following(String shown) {
        List<String> values = new ArrayList<>();
        while (at < words.size() && WordKinds.isValue(words.get(at))) {
            values.add(words.get(at++));
        }
        if (values.isEmpty()) {
            throw missing(shown);
        }
        return values;
    }

    private String next(String shown) {
        if (at >= words.size() || !WordKinds.isValue(words.get(at))) {
            throw missing(shown);
        }
        return words.get(at++);
    }

    private static InputException missing(String shown) {
        return InputException.badInput(Printable.shortened(shown) + " needs a value; expected one after it");
    }

    /** A word without a dash that follows no flag. */
    private void stray(String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        if (equals > 0 && SHORTHAND.containsKey(name)) {
            taken(word, table.named(SHORTHAND.get(name)), Optional.of(word.substring(equals + 1)));
        } else if (equals > 0 && WordKinds.isVariable(name)) {
            environment.put(name, word.substring(equals + 1));
        } else {
            strayFlag(word, name, equals);
        }
    }

    private void strayFlag(String word, String name, int equals) {
        boolean compound = equals > 0 || name.indexOf('_') > 0 || name.indexOf('-') > 0;
        Optional<VllmFlag> flag = compound ? noteFlag(name) : Optional.empty();
        if (flag.isEmpty()) {
            warnings.add("'" + Printable.shortened(word) + "' is no flag and was ignored");
        } else if (equals > 0) {
            taken(word, flag.get(), Optional.of(word.substring(equals + 1)));
        } else if (flag.get().kind().standsAlone() || (at < words.size() && WordKinds.isValue(words.get(at)))) {
            taken(word, flag.get(), Optional.empty());
        } else {
            warnings.add("'" + Printable.shortened(word) + "' has no value and was ignored");
        }
    }

    private Optional<VllmFlag> noteFlag(String name) {
        return switch (name) {
            case "prefix_caching", "prefix-caching" -> table.exactly("enable-prefix-caching");
            case "chunked_prefill", "chunked-prefill" -> table.exactly("enable-chunked-prefill");
            default -> table.exactly(name);
        };
    }

    private void taken(String word, VllmFlag flag, Optional<String> value) {
        if (flag.kind() == VllmFlag.Kind.JSON
                && value.flatMap(JsonValue::object).isEmpty()) {
            warnings.add("'" + Printable.shortened(word) + "' was ignored; " + flag.dashed() + " takes a JSON object");
            return;
        }
        boolean off =
                flag.kind().standsAlone() && value.isPresent() && !value.get().equalsIgnoreCase("true");
        warnings.add(
                "'" + Printable.shortened(word) + "' was read as " + (off ? "--no-" + flag.name() : flag.dashed()));
        if (off) {
            arguments.clear(flag);
        } else {
            apply(flag, flag.dashed(), flag.kind().standsAlone() ? Optional.empty() : value);
        }
    }
}
