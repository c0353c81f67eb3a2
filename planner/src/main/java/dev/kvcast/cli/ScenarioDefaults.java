package dev.kvcast.cli;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a deployment is where neither an option nor a launch line after {@code --} says otherwise.
 *
 * @param launchCommand launch line as shell text
 * @param model model name
 * @param engine engine name
 * @param engineVersion engine release
 * @param gpu card name, {@code xN} allowed at its end
 * @param gpuCount how many, where said apart from the name
 */
public record ScenarioDefaults(
        Optional<String> launchCommand,
        Optional<String> model,
        Optional<String> engine,
        Optional<String> engineVersion,
        Optional<String> gpu,
        OptionalInt gpuCount) {

    /** Nothing is known. */
    public static final ScenarioDefaults NONE = new ScenarioDefaults(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty());
}
