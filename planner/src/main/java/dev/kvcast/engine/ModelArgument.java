package dev.kvcast.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The model among an engine's arguments.
 *
 * @param name model name or path, if there is one
 * @param rest the other arguments
 */
record ModelArgument(Optional<String> name, List<String> rest) {

    private static final Set<String> MODEL_FLAGS =
            Set.of("--model-path", "--model", "-m", "-hf", "-hfr", "--hf-repo", "--model_path");

    /** Flags of {@code vllm serve} that take several words, or none, before a positional model. */
    private static final Set<String> LIST_FLAGS = Set.of(
            "--served-model-name",
            "--lora-modules",
            "--cudagraph-capture-sizes",
            "--allowed-media-domains",
            "--kv-cache-dtype-skip-layers",
            "--cuda-graph-sizes",
            "--logits-processors");

    private static final Set<String> SWITCHES = Set.of(
            "--enforce-eager",
            "--trust-remote-code",
            "--language-model-only",
            "--async-scheduling",
            "--headless",
            "--skip-mm-profiling",
            "-ep");

    /** The model of {@code vllm serve [MODEL] ...}; {@code --model} is an older spelling of the same. */
    static ModelArgument positional(List<String> arguments) {
        if (!arguments.isEmpty()
                && !arguments.get(0).startsWith("-")
                && Assignments.nameLength(arguments.get(0)) == 0) {
            return without(arguments, 0, 1, arguments.get(0));
        }
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--model") && i + 1 < arguments.size()) {
                return without(arguments, i, 2, arguments.get(i + 1));
            }
            if (argument.startsWith("--model=")) {
                return without(arguments, i, 1, argument.substring("--model=".length()));
            }
        }
        for (int i = 1; i < arguments.size(); i++) {
            if (isPositional(arguments, i)) {
                return without(arguments, i, 1, arguments.get(i));
            }
        }
        return new ModelArgument(Optional.empty(), arguments);
    }

    /** A word that looks like a repository or path and is no flag's value. */
    private static boolean isPositional(List<String> arguments, int at) {
        String word = arguments.get(at);
        String before = arguments.get(at - 1);
        if (word.startsWith("-") || word.indexOf('/') < 0 || word.indexOf(' ') >= 0) {
            return false;
        }
        if (before.startsWith("-")) {
            boolean takesNoValue = SWITCHES.contains(before)
                    || before.startsWith("--enable-")
                    || before.startsWith("--disable-")
                    || before.startsWith("--no-")
                    || before.indexOf('=') > 0;
            return takesNoValue;
        }
        return at >= 2 && arguments.get(at - 2).startsWith("-") && !LIST_FLAGS.contains(arguments.get(at - 2));
    }

    /** The model of an engine that names it by flag only; the flag stays among the arguments. */
    static ModelArgument flagged(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            if (MODEL_FLAGS.contains(argument) && i + 1 < arguments.size()) {
                return new ModelArgument(Optional.of(arguments.get(i + 1)), arguments);
            }
            if (equals > 0 && MODEL_FLAGS.contains(argument.substring(0, equals))) {
                return new ModelArgument(Optional.of(argument.substring(equals + 1)), arguments);
            }
        }
        return new ModelArgument(Optional.empty(), arguments);
    }

    private static ModelArgument without(List<String> arguments, int at, int count, String name) {
        List<String> rest = new ArrayList<>(arguments.subList(0, at));
        rest.addAll(arguments.subList(at + count, arguments.size()));
        return new ModelArgument(Optional.of(name), rest);
    }
}
