package dev.kvcast.engine;

import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.ModelConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A question about one deployment.
 *
 * @param model the model, its checkpoint's quantization applied
 * @param accelerator the card
 * @param accelerators cards of that kind
 * @param version engine version as people write it; empty means the newest one modelled
 * @param arguments the engine's own flags, program and model name removed
 * @param environment environment switches given with them
 * @param pinnedPoolBytes KV-pool bytes per rank read from a log, which replace the memory plan
 */
public record Scenario(
        ModelConfig model,
        Accelerator accelerator,
        int accelerators,
        Optional<String> version,
        List<String> arguments,
        Map<String, String> environment,
        OptionalLong pinnedPoolBytes) {

    /** Copies the collections. */
    public Scenario {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /** The same question with other flags. */
    public Scenario withArguments(List<String> other) {
        return new Scenario(model, accelerator, accelerators, version, other, environment, pinnedPoolBytes);
    }
}
