package dev.kvcast.model.config;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checked access to one JSON object of a {@code config.json}. A JSON null counts as absent, as it does for the engines.
 * Wrong types and absurd sizes are {@link InputException}s that name the field.
 */
final class ConfigFields {

    private static final long LARGEST_SIZE = 1L << 31;

    private final Map<String, Object> values;

    ConfigFields(Map<String, Object> values) {
        this.values = values;
    }

    /** Whether a field is present and not null. */
    boolean has(String name) {
        return values.get(name) != null;
    }

    /** The raw JSON object. */
    Map<String, Object> raw() {
        return values;
    }

    /** The first of the named fields as a size from 1 to 2^31 - 1. */
    int size(String... names) {
        for (String name : names) {
            if (has(name)) {
                return (int) range(name, integer(name, values.get(name)), 1);
            }
        }
        throw InputException.badInput(
                names[0] + " is missing from the model's config; kvcast needs it to compute memory");
    }

    /** The first of the named fields as a size from 0 up, or the fallback when none is present. */
    int sizeOr(int fallback, String... names) {
        for (String name : names) {
            if (has(name)) {
                return (int) range(name, integer(name, values.get(name)), 0);
            }
        }
        return fallback;
    }

    /** The first of the named fields as a size from 1 up; 1 when none is present. */
    int sizeOrOne(String... names) {
        for (String name : names) {
            if (has(name)) {
                return size(name);
            }
        }
        return 1;
    }

    /** A number, or the fallback. */
    double number(String name, double fallback) {
        Object value = values.get(name);
        if (value == null) {
            return fallback;
        }
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw wrongType(name, value, "a number");
    }

    /** A boolean, or the fallback. */
    boolean flag(String name, boolean fallback) {
        Object value = values.get(name);
        if (value == null) {
            return fallback;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrongType(name, value, "true or false");
    }

    /** A string, if present. */
    Optional<String> text(String name) {
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String text) {
            return Optional.of(text);
        }
        throw wrongType(name, value, "a string");
    }

    /** A list of strings, empty when absent. */
    List<String> texts(String name) {
        List<String> result = new ArrayList<>();
        for (Object element : list(name)) {
            if (!(element instanceof String text)) {
                throw wrongType(name, element, "strings");
            }
            result.add(text);
        }
        return result;
    }

    /** A list of integers, empty when absent; booleans count as 0 and 1. */
    List<Integer> sizes(String name) {
        List<Integer> result = new ArrayList<>();
        for (Object element : list(name)) {
            Object value = element instanceof Boolean flag ? Integer.valueOf(flag ? 1 : 0) : element;
            result.add((int) range(name, integer(name, value), 0));
        }
        return result;
    }

    /** Whether a field is a list. */
    boolean isList(String name) {
        return values.get(name) instanceof List;
    }

    /** A nested object, if present. */
    Optional<ConfigFields> object(String name) {
        Object value = values.get(name);
        return value == null ? Optional.empty() : Optional.of(new ConfigFields(asObject(name, value)));
    }

    /** A list of nested objects, empty when absent. */
    List<ConfigFields> objects(String name) {
        List<ConfigFields> result = new ArrayList<>();
        for (Object element : list(name)) {
            result.add(new ConfigFields(asObject(name, element)));
        }
        return result;
    }

    /** These fields with those of {@code other} beneath them. */
    ConfigFields over(ConfigFields other) {
        Map<String, Object> merged = new LinkedHashMap<>(other.values);
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            if (entry.getValue() != null) {
                merged.put(entry.getKey(), entry.getValue());
            }
        }
        return new ConfigFields(merged);
    }

    private List<?> list(String name) {
        Object value = values.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrongType(name, value, "a list");
    }

    @SuppressWarnings("unchecked") // JSON object keys are strings
    private static Map<String, Object> asObject(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw wrongType(name, value, "an object");
    }

    private static long integer(String name, @Nullable Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        if (value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue())) {
            // Doubles saturate, so an absurd value stays out of range instead of wrapping.
            return (long) number.doubleValue();
        }
        throw wrongType(name, value, "a whole number");
    }

    private static long range(String name, long value, long least) {
        if (value < least || value >= LARGEST_SIZE) {
            throw InputException.badInput(
                    name + " is " + value + "; expected a size from " + least + " to 2^31 - 1, check config.json");
        }
        return value;
    }

    private static InputException wrongType(String name, @Nullable Object value, String expected) {
        String shown = String.valueOf(value);
        return InputException.badInput(name + " is " + (shown.length() > 40 ? shown.substring(0, 40) + "..." : shown)
                + "; expected " + expected + ", check config.json");
    }
}
