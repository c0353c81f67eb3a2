package dev.kvcast.cli;

import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.SkipRule;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.MatrixRequest;
import dev.kvcast.plan.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads one line of a batch file. */
final class BatchScenario {

    private BatchScenario() {}

    /** The deployment that a line describes. */
    static PlanRequest read(Map<String, Object> line) {
        return new PlanRequest(
                text(line, "id"),
                text(line, "engine").orElse("vllm"),
                text(line, "engine_version"),
                text(line, "model").orElseThrow(() -> missing("model")),
                text(line, "quantization"),
                new PlanRequest.Gpu(
                        text(line, "gpu").orElseThrow(() -> missing("gpu")),
                        integer(line, "gpu_count"),
                        number(line, "gpu_memory_bytes"),
                        OptionalDouble.empty(),
                        OptionalDouble.empty()),
                texts(line, "args"),
                environment(line),
                number(line, "kv_pool_bytes"));
    }

    /** The cells that a line asks for. */
    static MatrixRequest cells(Map<String, Object> line) {
        List<Cell> cells = new ArrayList<>();
        for (Object entry : list(line, "cells")) {
            if (!(entry instanceof List<?> numbers) || numbers.size() != 3) {
                throw InputException.badInput("cells has " + entry + "; expected [context, concurrency, output]");
            }
            long concurrency = whole(numbers.get(1), "concurrency");
            if (concurrency > Integer.MAX_VALUE) {
                throw InputException.badInput("concurrency " + concurrency + " in cells is out of range");
            }
            cells.add(new Cell(whole(numbers.get(0), "context"), (int) concurrency, whole(numbers.get(2), "output")));
        }
        List<Long> prefill = new ArrayList<>();
        for (Object context : list(line, "prefill")) {
            prefill.add(whole(context, "prefill"));
        }
        boolean shared = !Boolean.FALSE.equals(line.get("shared_prefix"));
        SkipRule rule = text(line, "skip_rule").map(SkipRule::parse).orElse(SkipRule.LLM_INFERENCE_BENCH);
        return new MatrixRequest(cells, prefill, shared, rule);
    }

    private static Optional<String> text(Map<String, Object> line, String field) {
        Object value = line.get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String || value instanceof Number) {
            return Optional.of(value.toString()).filter(written -> !written.isBlank());
        }
        throw InputException.badInput(field + " is " + value + "; expected text");
    }

    private static OptionalLong number(Map<String, Object> line, String field) {
        Object value = line.get(field);
        return value == null ? OptionalLong.empty() : OptionalLong.of(whole(value, field));
    }

    private static OptionalInt integer(Map<String, Object> line, String field) {
        OptionalLong value = number(line, field);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        if (value.getAsLong() > Integer.MAX_VALUE) {
            throw InputException.badInput(field + " " + value.getAsLong() + " is out of range");
        }
        return OptionalInt.of((int) value.getAsLong());
    }

    private static long whole(Object value, String field) {
        if (value instanceof Number number
                && number.doubleValue() == Math.rint(number.doubleValue())
                && Math.abs(number.doubleValue()) < 1e18) {
            return number.longValue();
        }
        throw InputException.badInput(field + " is " + value + "; expected a whole number");
    }

    private static List<?> list(Map<String, Object> line, String field) {
        Object value = line.get(field);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> items) {
            return items;
        }
        throw InputException.badInput(field + " is " + value + "; expected a list");
    }

    private static List<String> texts(Map<String, Object> line, String field) {
        List<String> texts = new ArrayList<>();
        for (Object item : list(line, field)) {
            texts.add(String.valueOf(item));
        }
        return texts;
    }

    private static Map<String, String> environment(Map<String, Object> line) {
        if (!(line.get("env") instanceof Map<?, ?> variables)) {
            return Map.of();
        }
        Map<String, String> environment = new java.util.HashMap<>();
        variables.forEach((name, value) -> environment.put(String.valueOf(name), String.valueOf(value)));
        return environment;
    }

    private static InputException missing(String field) {
        return InputException.badInput("the scenario has no \"" + field + "\"");
    }
}
