package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.CompilationOptions.GraphMode;
import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads the flags about CUDA graphs, which may also come inside {@code --compilation-config}. */
final class CompilationOptionsReader {

    private static final int LEVEL_BY_DEFAULT = 2;

    private static final String SIZES = "cudagraph-capture-sizes";
    private static final String LARGEST = "max-cudagraph-capture-size";

    private final VllmArguments arguments;
    private final Map<String, Object> config;

    private CompilationOptionsReader(VllmArguments arguments) {
        this.arguments = arguments;
        this.config = arguments.object("compilation-config");
    }

    static CompilationOptions read(VllmArguments arguments, Map<String, String> environment) {
        CompilationOptionsReader reader = new CompilationOptionsReader(arguments);
        return new CompilationOptions(
                arguments.on("enforce-eager"),
                reader.level(),
                reader.mode(),
                reader.sizes(),
                reader.largest(),
                reader.backend(environment),
                arguments.text("linear-backend"),
                arguments.text("moe-backend"));
    }

    private int level() {
        int level = arguments.integer("optimization-level", 0).orElse(LEVEL_BY_DEFAULT);
        if (level > 3) {
            throw arguments.refuse("optimization-level", String.valueOf(level), "one of 0, 1, 2, 3");
        }
        return level;
    }

    private Optional<GraphMode> mode() {
        Object value = config.getOrDefault("cudagraph_mode", "");
        if (isSet("use_cudagraph", "false")) {
            return Optional.of(GraphMode.NONE);
        }
        if (isSet("full_cuda_graph", "true")) {
            return Optional.of(GraphMode.FULL);
        }
        String name = String.valueOf(value).toUpperCase(Locale.ROOT);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        for (GraphMode mode : GraphMode.values()) {
            if (mode.name().equals(name)) {
                return Optional.of(mode);
            }
        }
        throw InputException.badInput("cudagraph_mode is '" + Printable.shortened(String.valueOf(value))
                + "'; expected one of NONE, PIECEWISE, FULL, FULL_DECODE_ONLY, FULL_AND_PIECEWISE");
    }

    private boolean isSet(String key, String value) {
        return String.valueOf(config.getOrDefault(key, "")).equals(value);
    }

    private List<Integer> sizes() {
        List<Integer> sizes = new ArrayList<>();
        for (String word : arguments.list(SIZES)) {
            sizes.add(size(word));
        }
        Object configured = config.getOrDefault("cudagraph_capture_sizes", List.of());
        if (configured instanceof List<?> list) {
            if (!list.isEmpty() && !sizes.isEmpty()) {
                throw InputException.badInput("cudagraph_capture_sizes is given twice, as a flag and inside"
                        + " --compilation-config; give it once");
            }
            for (Object item : list) {
                sizes.add(size(String.valueOf(item)));
            }
        }
        return sizes;
    }

    private int size(String word) {
        OptionalLong value = SizeText.integer(word);
        if (value.isEmpty() || value.getAsLong() < 1 || value.getAsLong() > Integer.MAX_VALUE) {
            throw arguments.refuse(SIZES, word, "positive integers");
        }
        return (int) value.getAsLong();
    }

    private OptionalInt largest() {
        OptionalInt flag = arguments.integer(LARGEST, 1);
        Object configured = config.getOrDefault("max_cudagraph_capture_size", "");
        if (flag.isPresent() || String.valueOf(configured).isEmpty()) {
            return flag;
        }
        return OptionalInt.of(size(String.valueOf(configured)));
    }

    private Optional<String> backend(Map<String, String> environment) {
        Object nested = arguments.object("attention-config").getOrDefault("backend", "");
        String name = arguments
                .text("attention-backend")
                .orElse(
                        String.valueOf(nested).isEmpty()
                                ? environment.getOrDefault("VLLM_ATTENTION_BACKEND", "")
                                : String.valueOf(nested));
        String upper = name.toUpperCase(Locale.ROOT).replace("_VLLM_V1", "");
        return upper.isEmpty() || upper.equals("AUTO") ? Optional.empty() : Optional.of(upper);
    }
}
