package dev.kvcast.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user's launch line, taken apart but not interpreted.
 *
 * @param engine engine name that the program implies ({@code vllm}, {@code sglang}, {@code llama.cpp})
 * @param version engine version when an image tag or similar names one
 * @param model positional model argument, if the line has one
 * @param arguments flags in order, program, sub-command and positional model removed
 * @param environment assignments before the program and {@code -e} of a container prefix
 * @param gpus number of GPUs that a container prefix or {@code CUDA_VISIBLE_DEVICES} limits the engine to
 */
public record LaunchCommand(
        String engine,
        Optional<String> version,
        Optional<String> model,
        List<String> arguments,
        Map<String, String> environment,
        Optional<Integer> gpus) {

    /** Copies the collections. */
    public LaunchCommand {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }
}
