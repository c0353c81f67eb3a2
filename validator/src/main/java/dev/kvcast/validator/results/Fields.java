package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A JSON object of a result file, and where it stands. JSON's {@code null} counts as absent everywhere: tools write it
 * for what they did not measure.
 *
 * @param where file and place, for messages
 * @param values text, {@code Long}, {@code Double}, {@code Boolean}, list or map by name
 */
record Fields(String where, Map<String, Object> values) {

    /** Whether the field is there and not null. */
    boolean has(String name) {
        return values.get(name) != null;
    }

    /** Whether all of the fields are there. */
    boolean hasAll(String... names) {
        for (String name : names) {
            if (!has(name)) {
                return false;
            }
        }
        return true;
    }

    /** Text, or a number as text; blank text counts as absent. */
    Optional<String> text(String name) {
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String || value instanceof Number) {
            return Optional.of(value.toString()).filter(text -> !text.isBlank());
        }
        throw wrong(name, value, "text");
    }

    /** Text that must be there. */
    String requiredText(String name) {
        return text(name).orElseThrow(() -> missing(name));
    }

    /** A number, NaN and infinities included. */
    OptionalDouble number(String name) {
        Object value = values.get(name);
        if (value == null) {
            return OptionalDouble.empty();
        }
        if (value instanceof Number number) {
            return OptionalDouble.of(number.doubleValue());
        }
        throw wrong(name, value, "a number");
    }

    /** A number that must be there. */
    double required(String name) {
        return number(name).orElseThrow(() -> missing(name));
    }

    /** The number of the first of the names that is there. */
    OptionalDouble firstNumber(String... names) {
        for (String name : names) {
            if (has(name)) {
                return number(name);
            }
        }
        return OptionalDouble.empty();
    }

    /** A whole number of 0 or more; one that a tool writes as 16.0 counts. */
    OptionalLong whole(String name) {
        OptionalDouble value = number(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        double number = value.getAsDouble();
        if (number >= 0 && number <= 1L << 53 && number == Math.rint(number)) {
            return OptionalLong.of((long) number);
        }
        throw wrong(name, number, "a whole number of 0 or more");
    }

    /** A whole number that must be there. */
    long requiredWhole(String name) {
        return whole(name).orElseThrow(() -> missing(name));
    }

    /** A whole number below 2^31. */
    OptionalInt count(String name) {
        OptionalLong value = whole(name);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        if (value.getAsLong() > Integer.MAX_VALUE) {
            throw wrong(name, value.getAsLong(), "a number below 2^31");
        }
        return OptionalInt.of((int) value.getAsLong());
    }

    /** A whole number below 2^31 that must be there. */
    int requiredCount(String name) {
        return count(name).orElseThrow(() -> missing(name));
    }

    /** Whether the field is {@code true}. */
    boolean isTrue(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    /** An object, where the field is one. */
    Optional<Fields> object(String name) {
        return values.get(name) instanceof Map<?, ?> map ? Optional.of(child(name, map)) : Optional.empty();
    }

    /** An object that must be there. */
    Fields requiredObject(String name) {
        if (has(name) && !(values.get(name) instanceof Map<?, ?>)) {
            throw wrong(name, String.valueOf(values.get(name)), "an object");
        }
        return object(name).orElseThrow(() -> missing(name));
    }

    /** The objects of a list; empty where the field is absent. */
    List<Fields> objects(String name) {
        Object value = values.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> items)) {
            throw wrong(name, value, "a list of objects");
        }
        List<Fields> objects = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Map<?, ?> map)) {
                throw wrong(name + "[" + i + "]", String.valueOf(items.get(i)), "an object");
            }
            objects.add(child(name + "[" + i + "]", map));
        }
        return objects;
    }

    /** The whole numbers of a list; empty where the field is absent. */
    List<Long> wholes(String name) {
        Object value = values.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> items)) {
            throw wrong(name, value, "a list of whole numbers");
        }
        List<Long> numbers = new ArrayList<>();
        for (Object item : items) {
            if (!(item instanceof Long number) || number < 0) {
                throw wrong(name, String.valueOf(item), "whole numbers of 0 or more");
            }
            numbers.add(number);
        }
        return numbers;
    }

    /** All text, numbers and truth values but those named, in order. */
    Map<String, Object> scalarsExcept(Set<String> names) {
        Map<String, Object> scalars = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            boolean scalar = value instanceof String
                    || value instanceof Long
                    || value instanceof Boolean
                    || (value instanceof Double number && Double.isFinite(number));
            if (scalar && !names.contains(name)) {
                scalars.put(name, value);
            }
        });
        return scalars;
    }

    /** The problem of a field that is not there. */
    InputException missing(String name) {
        return InputException.badInput(where + " has no \"" + name + "\"");
    }

    /** The problem of a field that holds the wrong thing. */
    InputException wrong(String name, Object value, String expected) {
        String shown = String.valueOf(value);
        return InputException.badInput(where + ": \"" + name + "\" is "
                + (shown.length() > 60 ? shown.substring(0, 60) + "..." : shown) + "; expected " + expected);
    }

    private Fields child(String name, Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (value != null) {
                copy.put(String.valueOf(key), value);
            }
        });
        return new Fields(where + (where.contains(": ") ? "." : ": ") + name, copy);
    }
}
