package dev.kvcast.throughput.io;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checked access to the fields of a parsed object.
 *
 * @param file name of the file, for messages
 * @param where path of the object inside it, empty or ending in a dot
 * @param fields the fields
 */
record CoefficientFields(String file, String where, Map<?, ?> fields) {

    boolean has(String field) {
        return fields.get(field) != null;
    }

    InputException problem(String field, String expected) {
        return InputException.badInput(file + ": " + where + field + " is " + shortened(fields.get(field))
                + "; expected what " + expected + "; calibrate again, or restore the file");
    }

    private static String shortened(@org.jspecify.annotations.Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() > 60 ? text.substring(0, 60) + "..." : text;
    }

    String text(String field) {
        if (fields.get(field) instanceof String text) {
            return text;
        }
        throw problem(field, "is text");
    }

    double number(String field) {
        if (fields.get(field) instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw problem(field, "is a number");
    }

    double positive(String field) {
        double value = number(field);
        if (value > 0) {
            return value;
        }
        throw problem(field, "is above 0");
    }

    CoefficientFields object(String field) {
        if (fields.get(field) instanceof Map<?, ?> map) {
            return new CoefficientFields(file, where + field + ".", map);
        }
        throw problem(field, "is an object");
    }

    List<CoefficientFields> objects(String field) {
        List<CoefficientFields> objects = new ArrayList<>();
        for (Object item : list(field)) {
            if (!(item instanceof Map<?, ?> map)) {
                throw problem(field, "is a list of objects");
            }
            objects.add(new CoefficientFields(file, where + field + "[" + objects.size() + "].", map));
        }
        return objects;
    }

    List<?> list(String field) {
        if (fields.get(field) instanceof List<?> list) {
            return list;
        }
        throw problem(field, "is a list");
    }

    /** All fields as positive numbers. */
    Map<String, Double> numbers() {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (Object key : fields.keySet()) {
            String name = String.valueOf(key);
            numbers.put(name, positive(name));
        }
        return numbers;
    }
}
