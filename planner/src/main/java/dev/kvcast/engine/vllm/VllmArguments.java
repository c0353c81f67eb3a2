package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Flags of one launch line with their values checked for shape. The last value of a repeated flag counts.
 */
final class VllmArguments {

    private final VllmFlags table;
    private final Map<String, List<String>> words = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> objects = new LinkedHashMap<>();

    VllmArguments(VllmFlags table) {
        this.table = table;
    }

    /** Records a flag; the words are empty for one that stands alone. */
    void set(VllmFlag flag, List<String> values) {
        words.put(flag.name(), List.copyOf(values));
    }

    /** Records that a flag was turned off. */
    void clear(VllmFlag flag) {
        words.put(flag.name(), List.of("false"));
    }

    /** Records a JSON object, replacing one given before. */
    void setObject(VllmFlag flag, Map<String, Object> value) {
        words.put(flag.name(), List.of());
        objects.put(flag.name(), new LinkedHashMap<>(value));
    }

    /** Adds {@code --flag.a.b value} to a JSON flag. */
    void merge(VllmFlag flag, List<String> path, Object value) {
        words.put(flag.name(), List.of());
        Map<String, Object> at = objects.computeIfAbsent(flag.name(), name -> new LinkedHashMap<>());
        for (String key : path.subList(0, path.size() - 1)) {
            Map<String, Object> child = new LinkedHashMap<>(
                    JsonValue.asObject(at.getOrDefault(key, Map.of())).orElse(Map.of()));
            at.put(key, child);
            at = child;
        }
        at.put(path.get(path.size() - 1), value);
    }

    /** Names of the flags given, in order. */
    Set<String> names() {
        return words.keySet();
    }

    /** Whether the flag was given in any form. */
    boolean has(String name) {
        return words.containsKey(name);
    }

    /** On, off or not given. */
    Optional<Boolean> toggle(String name) {
        List<String> value = words.get(name);
        return value == null ? Optional.empty() : Optional.of(!value.contains("false"));
    }

    /** Whether a flag that is off by default is on. */
    boolean on(String name) {
        return toggle(name).orElse(false);
    }

    /** Words of a list flag; a JSON-like or comma-separated single word is split. */
    List<String> list(String name) {
        return words.getOrDefault(name, List.of());
    }

    /** The value as written; {@code None} and nothing count as not given. */
    Optional<String> text(String name) {
        List<String> value = words.getOrDefault(name, List.of());
        if (value.isEmpty() || value.get(0).isEmpty() || value.get(0).equals("None")) {
            return Optional.empty();
        }
        return Optional.of(value.get(0));
    }

    /** The JSON object given for a flag, empty when none was. */
    Map<String, Object> object(String name) {
        return objects.getOrDefault(name, Map.of());
    }

    /** The value, one of a few. */
    Optional<String> choice(String name, List<String> choices) {
        Optional<String> value = text(name);
        if (value.isPresent() && !choices.contains(value.get())) {
            throw refuse(name, value.get(), "one of " + String.join(", ", choices));
        }
        return value;
    }

    /** A plain integer within bounds. */
    OptionalInt integer(String name, int least) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        OptionalLong number = SizeText.integer(value.get());
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > Integer.MAX_VALUE) {
            throw refuse(name, value.get(), "an integer of at least " + least + " and below 2^31");
        }
        return OptionalInt.of((int) number.getAsLong());
    }

    /** An integer that may carry a size suffix. */
    OptionalLong size(String name, long least, long most) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong number = SizeText.parse(value.get());
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
            throw refuse(name, value.get(), "an integer of at least " + least + ", such as 32768, 32k or 32K");
        }
        return number;
    }

    /** A number as Python's {@code float} reads it. */
    OptionalDouble number(String name) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        String text = value.get().strip();
        boolean numeric = !text.isEmpty() && "+-.0123456789".indexOf(text.charAt(0)) >= 0;
        char last = text.isEmpty() ? ' ' : text.charAt(text.length() - 1);
        if (text.equalsIgnoreCase("nan")) {
            return OptionalDouble.of(Double.NaN);
        }
        try {
            if (numeric && (last == '.' || Character.isDigit(last))) {
                return OptionalDouble.of(Double.parseDouble(text));
            }
        } catch (NumberFormatException e) {
            throw refuse(name, value.get(), "a number").because(e);
        }
        throw refuse(name, value.get(), "a number");
    }

    InputException refuse(String name, String value, String expected) {
        return table.named(name).refuse(value, expected);
    }
}
