package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Parallelism;
import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads {@code vllm serve} flags and environment switches into typed options. Bounds and choices are those of vLLM's
 * config classes; what vLLM would refuse is refused here in one line.
 */
public final class VllmOptionsReader {

    private static final int LONGEST_SEQUENCE = Integer.MAX_VALUE;

    private final VllmArguments arguments;
    private final Map<String, String> environment;
    private final List<String> warnings;

    private VllmOptionsReader(VllmArguments arguments, Map<String, String> environment, List<String> warnings) {
        this.arguments = arguments;
        this.environment = environment;
        this.warnings = warnings;
    }

    /**
     * Reads the flags of a launch line.
     *
     * @param words flags and values, program and positional model removed
     * @param environment environment assignments given with them
     * @throws InputException for a value its flag does not take
     */
    public static VllmOptions read(List<String> words, Map<String, String> environment) {
        VllmFlags table = VllmFlags.standard();
        VllmArgumentReader reader = new VllmArgumentReader(table, words);
        VllmArguments arguments = reader.read();
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(reader.environment());
        List<VllmFlag> given = new ArrayList<>();
        for (String name : arguments.names()) {
            given.add(table.named(name));
        }
        return new VllmOptionsReader(arguments, all, new ArrayList<>(reader.warnings())).options(given);
    }

    private VllmOptions options(List<VllmFlag> given) {
        Optional<String> configFile = arguments.text("config");
        configFile.ifPresent(file -> warnings.add(
                "--config " + Printable.shortened(file) + " was not read; give its flags on the command line"));
        return new VllmOptions(
                model(),
                memory(),
                CacheOptionsReader.read(arguments, warnings),
                scheduler(),
                parallel(),
                CompilationOptionsReader.read(arguments, environment),
                SpeculativeOptionsReader.read(arguments, warnings),
                multimodal(),
                lora(),
                EnvironmentReader.read(environment),
                configFile,
                given,
                warnings);
    }

    private ModelOptions model() {
        Map<String, Object> overrides = new LinkedHashMap<>(arguments.object("hf-overrides"));
        if (arguments.has("rope-scaling")) {
            overrides.put("rope_scaling", arguments.object("rope-scaling"));
        }
        arguments.number("rope-theta").ifPresent(theta -> overrides.put("rope_theta", theta));
        Optional<String> runner = arguments.choice("runner", List.of("auto", "generate", "pooling", "draft"));
        Optional<String> convert = arguments.choice("convert", List.of("auto", "none", "embed", "classify", "reward"));
        Optional<String> task = arguments.choice(
                "task",
                List.of(
                        "auto",
                        "generate",
                        "embedding",
                        "embed",
                        "classify",
                        "score",
                        "reward",
                        "transcription",
                        "draft"));
        boolean pooling = runner.equals(Optional.of("pooling"))
                || convert.filter(value -> !value.equals("auto") && !value.equals("none"))
                        .isPresent()
                || task.filter(value -> List.of("embedding", "embed", "classify", "score", "reward")
                                .contains(value))
                        .isPresent();
        return new ModelOptions(
                arguments.text("model"),
                DtypeText.weights(arguments),
                Quantizations.known(arguments.text("quantization")),
                length(),
                overrides,
                arguments.text("load-format").orElse("auto"),
                pooling,
                arguments.on("disable-sliding-window"));
    }

    private ModelOptions.Length length() {
        Optional<String> value = arguments.text("max-model-len");
        if (value.isEmpty()) {
            return new ModelOptions.Length.OfModel();
        }
        String text = value.get().strip();
        if (text.equals("-1") || text.equalsIgnoreCase("auto")) {
            return new ModelOptions.Length.FromMemory();
        }
        return new ModelOptions.Length.Tokens(
                arguments.size("max-model-len", 1, LONGEST_SEQUENCE).getAsLong());
    }

    private MemoryOptions memory() {
        OptionalDouble utilization = arguments.number("gpu-memory-utilization");
        if (utilization.isPresent() && !(utilization.getAsDouble() > 0 && utilization.getAsDouble() <= 1)) {
            throw arguments.refuse(
                    "gpu-memory-utilization",
                    arguments.text("gpu-memory-utilization").orElse(""),
                    "a share of the device's memory above 0 and at most 1");
        }
        return new MemoryOptions(
                utilization,
                arguments.size("kv-cache-memory-bytes", 1, Long.MAX_VALUE),
                arguments.size("num-gpu-blocks-override", 1, Integer.MAX_VALUE),
                gib("cpu-offload-gb"),
                gib("kv-offloading-size"),
                gib("mm-ipc-gpu-memory-gb"),
                arguments.on("enable-sleep-mode"));
    }

    private double gib(String flag) {
        double value = arguments.number(flag).orElse(0);
        if (!(value >= 0 && value < 1e9)) {
            throw arguments.refuse(flag, arguments.text(flag).orElse(""), "GiB, 0 or more");
        }
        return value;
    }

    private SchedulerOptions scheduler() {
        double watermark = arguments.number("watermark").orElse(0);
        if (!(watermark >= 0 && watermark < 1)) {
            throw arguments.refuse(
                    "watermark", arguments.text("watermark").orElse(""), "a share of at least 0 and below 1");
        }
        String mode = arguments
                .choice("performance-mode", List.of("balanced", "interactivity", "throughput"))
                .orElse("balanced");
        return new SchedulerOptions(
                arguments.integer("max-num-seqs", 1),
                batchedTokens(),
                arguments.integer("max-num-active-seqs", 1),
                arguments.toggle("enable-chunked-prefill"),
                arguments.on("disable-chunked-mm-input"),
                arguments.integer("long-prefill-token-threshold", 0).orElse(0),
                arguments.integer("max-num-partial-prefills", 1).orElse(1),
                arguments
                        .choice("scheduling-policy", List.of("fcfs", "priority"))
                        .equals(Optional.of("priority")),
                arguments.toggle("async-scheduling"),
                arguments.toggle("scheduler-reserve-full-isl"),
                watermark,
                arguments.integer("stream-interval", 1).orElse(1),
                SchedulerOptions.Mode.valueOf(mode.toUpperCase(Locale.ROOT)));
    }

    private OptionalInt batchedTokens() {
        OptionalLong tokens = arguments.size("max-num-batched-tokens", 1, Integer.MAX_VALUE);
        return tokens.isPresent() ? OptionalInt.of((int) tokens.getAsLong()) : OptionalInt.empty();
    }

    private ParallelOptions parallel() {
        Parallelism ranks = new Parallelism(
                arguments.integer("tensor-parallel-size", 1).orElse(1),
                arguments.integer("pipeline-parallel-size", 1).orElse(1),
                arguments.integer("data-parallel-size", 1).orElse(1),
                arguments.on("enable-expert-parallel"),
                arguments.integer("decode-context-parallel-size", 1).orElse(1));
        return new ParallelOptions(
                ranks,
                arguments.integer("prefill-context-parallel-size", 1).orElse(1),
                arguments.text("distributed-executor-backend"),
                arguments.on("enable-dbo")
                        || arguments.integer("ubatch-size", 0).orElse(0) > 1);
    }

    private MultimodalOptions multimodal() {
        Map<String, Integer> limits = new LinkedHashMap<>();
        arguments
                .object("limit-mm-per-prompt")
                .forEach((modality, value) -> limits.put(modality, count(modality, value)));
        boolean replicated = arguments
                        .choice("mm-encoder-tp-mode", List.of("weights", "data"))
                        .equals(Optional.of("data"))
                || arguments.on("enable-multimodal-encoder-data-parallel");
        return new MultimodalOptions(
                arguments.on("language-model-only"),
                limits,
                arguments.on("skip-mm-profiling"),
                arguments.on("mm-encoder-only"),
                replicated,
                arguments.object("mm-processor-kwargs"));
    }

    private int count(String modality, Object value) {
        Object number =
                value instanceof Map<?, ?> options && options.containsKey("count") ? options.get("count") : value;
        if (number instanceof Long items && items >= 0 && items <= Integer.MAX_VALUE) {
            return items.intValue();
        }
        if (value instanceof Map<?, ?>) {
            return 1;
        }
        throw arguments.refuse(
                "limit-mm-per-prompt", modality + "=" + value, "a count of at least 0 for each modality");
    }

    private LoraOptions lora() {
        int adapters = arguments.integer("max-loras", 1).orElse(1);
        int rank = arguments.integer("max-lora-rank", 1).orElse(16);
        if (arguments.has("max-lora-rank")
                && !List.of(1, 8, 16, 32, 64, 128, 256, 320, 512).contains(rank)) {
            throw arguments.refuse(
                    "max-lora-rank", String.valueOf(rank), "one of 1, 8, 16, 32, 64, 128, 256, 320, 512");
        }
        return arguments.on("enable-lora")
                ? new LoraOptions(adapters, rank, arguments.on("fully-sharded-loras"))
                : LoraOptions.OFF;
    }
}
