package dev.kvcast.validator.fit;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.PlanRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads {@code data/startups/*.jsonl}; {@code data/startups/README.md} describes the fields. */
public final class BootReader {

    private static final double GIB = 1L << 30;

    private static final Map<String, String> FLAGS = new LinkedHashMap<>();

    static {
        FLAGS.put("gpu_memory_utilization", "--gpu-memory-utilization");
        FLAGS.put("max_model_len", "--max-model-len");
        FLAGS.put("max_num_seqs", "--max-num-seqs");
        FLAGS.put("max_num_batched_tokens", "--max-num-batched-tokens");
        FLAGS.put("tensor_parallel_size", "--tensor-parallel-size");
        FLAGS.put("pipeline_parallel_size", "--pipeline-parallel-size");
        FLAGS.put("block_size", "--block-size");
    }

    private BootReader() {}

    /**
     * All vLLM boots of a file.
     *
     * @throws InputException for a file that cannot be read
     */
    public static List<Boot> read(Path file) {
        List<Boot> boots = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                Map<String, Object> row = line.isBlank() ? Map.of() : JSON.std.mapFrom(line);
                if ("vllm".equals(row.get("engine"))) {
                    boots.add(boot(row));
                }
            }
        } catch (IOException e) {
            throw InputException.badInput(file + " cannot be read: " + e.getMessage())
                    .because(e);
        }
        return boots;
    }

    private static Boot boot(Map<String, Object> row) {
        Map<?, ?> flags = object(row, "flags");
        Map<?, ?> observed = object(row, "observed");
        return new Boot(
                text(row, "id").orElse("?"),
                text(row, "source_url").orElse(""),
                "v1".equals(row.get("engine_generation")),
                flags.get("gpu_memory_utilization") instanceof Number,
                request(row, flags),
                decimal(observed, "available_kv_gib"),
                whole(observed, "kv_tokens"),
                whole(observed, "num_gpu_blocks"),
                whole(observed, "block_size"),
                decimal(observed, "weights_gib"));
    }

    private static PlanRequest request(Map<String, Object> row, Map<?, ?> flags) {
        OptionalDouble total = decimal(row, "gpu_total_gib_reported");
        return new PlanRequest(
                text(row, "id"),
                "vllm",
                text(row, "engine_version"),
                text(row, "model").orElse(""),
                text(row, "weights_quant"),
                new PlanRequest.Gpu(
                        text(row, "gpu").orElse(""),
                        OptionalInt.of((int) whole(row, "gpu_count").orElse(1)),
                        total.isPresent() ? OptionalLong.of((long) (total.getAsDouble() * GIB)) : OptionalLong.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty()),
                arguments(row, flags),
                Map.of(),
                OptionalLong.empty());
    }

    private static List<String> arguments(Map<String, Object> row, Map<?, ?> flags) {
        List<String> arguments = new ArrayList<>();
        FLAGS.forEach((field, flag) -> {
            if (flags.get(field) != null) {
                arguments.add(flag);
                arguments.add(String.valueOf(flags.get(field)));
            }
        });
        text(row, "kv_dtype").filter(dtype -> !dtype.equals("auto")).ifPresent(dtype -> {
            arguments.add("--kv-cache-dtype");
            arguments.add(dtype);
        });
        addSwitch(flags.get("enforce_eager"), "--enforce-eager", "", arguments);
        addSwitch(
                flags.get("enable_prefix_caching"), "--enable-prefix-caching", "--no-enable-prefix-caching", arguments);
        addSwitch(flags.get("language_model_only"), "--language-model-only", "", arguments);
        addDrafts(flags.get("speculative"), arguments);
        if (flags.get("args") instanceof List<?> more) {
            more.forEach(word -> arguments.add(String.valueOf(word)));
        }
        return arguments;
    }

    private static void addSwitch(@Nullable Object value, String on, String off, List<String> arguments) {
        String flag = Boolean.TRUE.equals(value) ? on : Boolean.FALSE.equals(value) ? off : "";
        if (!flag.isEmpty()) {
            arguments.add(flag);
        }
    }

    private static void addDrafts(@Nullable Object speculative, List<String> arguments) {
        if (speculative == null || speculative.equals("")) {
            return;
        }
        try {
            arguments.add("--speculative-config");
            arguments.add(speculative instanceof String text ? text : JSON.std.asString(speculative));
        } catch (IOException e) {
            throw InputException.badInput("speculative options cannot be written: " + e.getMessage())
                    .because(e);
        }
    }

    private static Map<?, ?> object(Map<?, ?> row, String field) {
        return row.get(field) instanceof Map<?, ?> fields ? fields : Map.of();
    }

    private static Optional<String> text(Map<?, ?> row, String field) {
        Object value = row.get(field);
        return value == null ? Optional.empty() : Optional.of(value.toString()).filter(written -> !written.isBlank());
    }

    private static OptionalDouble decimal(Map<?, ?> row, String field) {
        return row.get(field) instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    private static OptionalLong whole(Map<?, ?> row, String field) {
        return row.get(field) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }
}
