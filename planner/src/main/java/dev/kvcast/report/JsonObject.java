package dev.kvcast.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON object whose fields keep the order in which they were put. It is filled, then given to {@link JsonOut}; not for
 * use by several threads.
 */
public final class JsonObject {

    private final Map<String, Optional<Object>> fields = new LinkedHashMap<>();

    /** Creates an object without fields. */
    public JsonObject() {}

    /** Puts text. */
    public JsonObject put(String name, String value) {
        return putValue(name, value);
    }

    /** Puts a whole number. */
    public JsonObject put(String name, long value) {
        return putValue(name, value);
    }

    /**
     * Puts a decimal number.
     *
     * @throws IllegalArgumentException for NaN and infinities, which JSON cannot hold
     */
    public JsonObject put(String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " is " + value + "; JSON holds finite numbers only");
        }
        return putValue(name, value);
    }

    /** Puts true or false. */
    public JsonObject put(String name, boolean value) {
        return putValue(name, value);
    }

    /** Puts an object. */
    public JsonObject put(String name, JsonObject value) {
        return putValue(name, value);
    }

    /** Puts an array of texts, {@code Long}s, {@code Integer}s, {@code Double}s, {@code Boolean}s, objects or lists. */
    public JsonObject put(String name, List<?> values) {
        return putValue(name, List.copyOf(values));
    }

    /** Puts text, or {@code null} for an empty value. */
    public JsonObject putOptional(String name, Optional<String> value) {
        return value.map(text -> put(name, text)).orElseGet(() -> putNull(name));
    }

    /** Puts {@code null}. */
    public JsonObject putNull(String name) {
        fields.put(name, Optional.empty());
        return this;
    }

    /** Puts all fields of another object. */
    public JsonObject putAll(JsonObject other) {
        fields.putAll(other.fields);
        return this;
    }

    /** Fields in order; an empty value is JSON's {@code null}. */
    Map<String, Optional<Object>> fields() {
        return fields;
    }

    private JsonObject putValue(String name, Object value) {
        fields.put(name, Optional.of(value));
        return this;
    }
}
