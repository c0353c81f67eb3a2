package dev.kvcast.simulate.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.simulate.workload.Trace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Traces in JSON: Mooncake's, with block hashes, vLLM's custom data set and ShareGPT conversations, with texts. */
final class TextTraces {

    /** Characters of English text per token of a current tokenizer, roughly. */
    static final int CHARACTERS_PER_TOKEN = 4;

    /** Tokens behind one of Mooncake's hash ids. */
    private static final int MOONCAKE_BLOCK = 512;

    private TextTraces() {}

    static void readLines(Path file, TraceFile.RowCollector rows) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            long number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    add(number, object(line, number, rows), rows);
                }
            }
        }
    }

    private static Map<String, Object> object(String line, long number, TraceFile.RowCollector rows)
            throws IOException {
        try {
            return JSON.std.mapFrom(line);
        } catch (JsonProcessingException e) {
            throw rows.wrong(number, "no JSON object: " + e.getOriginalMessage())
                    .because(e);
        }
    }

    private static void add(long line, Map<String, Object> row, TraceFile.RowCollector rows) {
        if (row.containsKey("input_length")) {
            long input = whole(row, "input_length", line, rows);
            double millis = number(row, "timestamp", line, rows);
            if (millis < 0) {
                throw rows.wrong(line, "timestamp " + millis + " is negative");
            }
            rows.add(
                    line,
                    millis / 1000,
                    input,
                    whole(row, "output_length", line, rows),
                    blocks(row, input, line, rows));
        } else if (row.get("prompt") instanceof String prompt) {
            rows.untimed();
            rows.estimated();
            rows.add(line, 0, tokens(prompt), whole(row, "output_tokens", line, rows), List.of());
        } else {
            throw rows.wrong(
                    line, "neither input_length (Mooncake) nor prompt and output_tokens (vLLM custom) are there");
        }
    }

    private static List<Trace.Piece> blocks(
            Map<String, Object> row, long input, long line, TraceFile.RowCollector rows) {
        List<Trace.Piece> pieces = new ArrayList<>();
        if (row.get("hash_ids") instanceof List<?> ids) {
            long left = input;
            for (Object id : ids) {
                if (!(id instanceof Number hash)) {
                    throw rows.wrong(line, "hash_ids holds '" + id + "'; expected whole numbers");
                }
                if (left > 0) {
                    pieces.add(new Trace.Piece(hash.longValue(), (int) Math.min(MOONCAKE_BLOCK, left)));
                    left -= MOONCAKE_BLOCK;
                }
            }
        }
        return pieces;
    }

    /** The first question and answer of every conversation, as vLLM's own benchmark takes them. */
    static void readShareGpt(Path file, TraceFile.RowCollector rows) throws IOException {
        rows.untimed();
        rows.estimated();
        List<Object> conversations;
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            conversations = JSON.std.listFrom(reader);
        } catch (JsonProcessingException e) {
            throw rows.wrong("no JSON array: " + e.getOriginalMessage()).because(e);
        }
        int number = 0;
        for (Object conversation : conversations) {
            number++;
            if (conversation instanceof Map<?, ?> map && map.get("conversations") instanceof List<?> turns) {
                if (turns.size() >= 2) {
                    rows.add(number, 0, tokens(value(turns.get(0))), tokens(value(turns.get(1))), List.of());
                }
            } else {
                throw rows.wrong("entry " + number + " has no conversations; expected a ShareGPT file");
            }
        }
    }

    private static String value(Object turn) {
        return turn instanceof Map<?, ?> map && map.get("value") instanceof String text ? text : "";
    }

    private static long tokens(String text) {
        return Math.max(1, (text.length() + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN);
    }

    private static long whole(Map<String, Object> row, String field, long line, TraceFile.RowCollector rows) {
        double value = number(row, field, line, rows);
        if (value != Math.rint(value)) {
            throw rows.wrong(line, field + " " + value + " is no whole number");
        }
        return (long) value;
    }

    private static double number(Map<String, Object> row, String field, long line, TraceFile.RowCollector rows) {
        if (row.get(field) instanceof Number number) {
            return number.doubleValue();
        }
        throw rows.wrong(line, field + " is missing or no number");
    }
}
