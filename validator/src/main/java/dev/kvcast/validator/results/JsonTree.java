package dev.kvcast.validator.results;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds one JSON value in bounded memory. What tools keep of every single request, of every sample of a sensor and of
 * generated text is passed over: it is most of such a file, and no reader asks for it.
 */
final class JsonTree {

    /** Values that one document may hold. */
    static final int MOST_VALUES = 1_000_000;

    /** Fields passed over when they hold a list or an object. */
    private static final Set<String> PASSED_OVER = Set.of(
            "generated_texts",
            "itls",
            "ttfts",
            "latencies",
            "input_lens",
            "output_lens",
            "start_times",
            "queue_times",
            "errors",
            "requests",
            "request_samples",
            "samples_ns",
            "samples_ts",
            "event_log",
            "startup_diagnostics",
            "hardware_summary",
            "hardware_run_summary",
            "server_telemetry",
            "pcie_telemetry",
            "burst_results",
            "burst_summary_table");

    private final JsonParser parser;
    private final String name;
    private int values;

    /**
     * Reads from where the parser stands.
     *
     * @param name file name, for messages
     */
    JsonTree(JsonParser parser, String name) {
        this.parser = parser;
        this.name = name;
    }

    /** The object that the parser has just entered. */
    Map<String, Object> object() throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token != null && token.isStructStart() && PASSED_OVER.contains(field)) {
                parser.skipChildren();
            } else if (token != JsonToken.VALUE_NULL) {
                fields.put(field, value(token));
            }
        }
        return fields;
    }

    private List<Object> list() throws IOException {
        List<Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.VALUE_NULL) {
                items.add(value(token));
            }
        }
        return items;
    }

    private Object value(JsonToken token) throws IOException {
        if (++values > MOST_VALUES) {
            throw InputException.badInput(
                    name + " holds more than " + MOST_VALUES + " values; give a tool's summary rather than its log");
        }
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> list();
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> whole();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new IOException("unexpected " + token);
        };
    }

    private Object whole() throws IOException {
        JsonParser.NumberType type = parser.getNumberType();
        if (type == JsonParser.NumberType.BIG_INTEGER) {
            return parser.getDoubleValue();
        }
        return parser.getLongValue();
    }
}
