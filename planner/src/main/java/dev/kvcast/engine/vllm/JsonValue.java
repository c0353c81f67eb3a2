package dev.kvcast.engine.vllm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON on a command line as plain maps, lists, strings, longs, doubles and booleans; nulls are left out. Bare numbers may
 * carry a size suffix ({@code {"cpu_bytes": 80g}}) as vLLM allows.
 */
final class JsonValue {

    private static final JsonFactory FACTORY = new JsonFactory();

    /** Deeper nesting is not a flag's value. */
    private static final int DEEPEST = 64;

    private JsonValue() {}

    /** The object {@code text} holds; empty when it is not one. */
    static Optional<Map<String, Object>> object(String text) {
        return value(text).flatMap(JsonValue::asObject);
    }

    /** The value {@code text} holds; empty when it is not JSON. */
    static Optional<Object> value(String text) {
        try (JsonParser parser = FACTORY.createParser(expandSizes(text))) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            Optional<Object> value = read(parser, 0);
            return parser.nextToken() == null ? value : Optional.empty();
        } catch (IOException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Text keys of a map found in other JSON. */
    static Optional<Map<String, Object>> asObject(Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return Optional.empty();
        }
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, item) -> object.put(String.valueOf(key), item));
        return Optional.of(object);
    }

    private static Optional<Object> read(JsonParser parser, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (depth > DEEPEST) {
            throw new ArithmeticException("nested too deeply");
        }
        return switch (token) {
            case START_OBJECT -> Optional.of(fields(parser, depth));
            case START_ARRAY -> Optional.of(items(parser, depth));
            case VALUE_STRING -> Optional.of(parser.getText());
            case VALUE_NUMBER_INT -> Optional.of(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> Optional.of(parser.getDoubleValue());
            case VALUE_TRUE -> Optional.of(true);
            case VALUE_FALSE -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Map<String, Object> fields(JsonParser parser, int depth) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            read(parser, depth + 1).ifPresent(value -> object.put(name, value));
        }
        return object;
    }

    private static List<Object> items(JsonParser parser, int depth) throws IOException {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            read(parser, depth + 1).ifPresent(list::add);
        }
        return list;
    }

    /** Replaces bare {@code 80g} by its number; strings are left alone. */
    private static String expandSizes(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            int end = c == '"' ? stringEnd(text, i) : wordEnd(text, i);
            String piece = text.substring(i, end);
            out.append(c >= '0' && c <= '9' ? expanded(piece) : piece);
            i = end;
        }
        return out.toString();
    }

    private static String expanded(String piece) {
        char last = piece.charAt(piece.length() - 1);
        if (Character.isDigit(last)) {
            return piece;
        }
        return SizeText.parse(piece).isPresent()
                ? String.valueOf(SizeText.parse(piece).getAsLong())
                : piece;
    }

    private static int stringEnd(String text, int start) {
        int i = start + 1;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(text.length(), i + 1);
    }

    private static int wordEnd(String text, int start) {
        int i = start;
        while (i < text.length() && (Character.isLetterOrDigit(text.charAt(i)) || text.charAt(i) == '.')) {
            i++;
        }
        return Math.max(i, start + 1);
    }
}
