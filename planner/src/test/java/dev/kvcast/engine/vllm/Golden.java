package dev.kvcast.engine.vllm;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One vector of {@code vllm/golden.jsonl}: numbers that vLLM's own tests assert or that a real boot printed.
 *
 * @param row 0-based row
 * @param what what is checked
 * @param input given
 * @param expected asked for
 */
public record Golden(int row, String what, Map<String, Object> input, Map<String, Object> expected) {

    /** All vectors in file order. */
    public static List<Golden> all() {
        List<Golden> rows = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Golden.class.getResourceAsStream("/vllm/golden.jsonl")),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Map<String, Object> json = JSON.std.mapFrom(line);
                rows.add(new Golden(
                        rows.size(),
                        String.valueOf(json.get("what")),
                        object(json, "input"),
                        object(json, "expected")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Map<String, Object> json, String key) {
        return (Map<String, Object>) Objects.requireNonNull(json.get(key), key);
    }

    static long number(Map<String, Object> json, String key) {
        return ((Number) Objects.requireNonNull(json.get(key), key)).longValue();
    }

    static int integer(Map<String, Object> json, String key) {
        return Math.toIntExact(number(json, key));
    }

    static long number(Map<String, Object> json, String key, long fallback) {
        return json.get(key) instanceof Number number ? number.longValue() : fallback;
    }

    @SuppressWarnings("unchecked")
    static <T> List<T> list(Map<String, Object> json, String key) {
        return (List<T>) Objects.requireNonNull(json.get(key), key);
    }

    @Override
    public String toString() {
        return row + " " + what;
    }
}
