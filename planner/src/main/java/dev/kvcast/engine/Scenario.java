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
 * @param mixed every card where they differ, in rank order, otherwise empty
 */
public record Scenario(
        ModelConfig model,
        Accelerator accelerator,
        int accelerators,
        Optional<String> version,
        List<String> arguments,
        Map<String, String> environment,
        OptionalLong pinnedPoolBytes,
        List<Accelerator> mixed) {

    /** A scenario on cards of one kind. */
    public Scenario(
            ModelConfig model,
            Accelerator accelerator,
            int accelerators,
            Optional<String> version,
            List<String> arguments,
            Map<String, String> environment,
            OptionalLong pinnedPoolBytes) {
        this(model, accelerator, accelerators, version, arguments, environment, pinnedPoolBytes, List.of());
    }

    /** Copies the collections. */
    public Scenario {
        mixed = List.copyOf(mixed);
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /** The card of a pipeline stage: its own where there is one card a stage, otherwise the smallest. */
    public Accelerator cardOfStage(int stage, int stages) {
        return mixed.size() == stages ? mixed.get(stage) : accelerator;
    }

    /** The same question with other flags. */
    public Scenario withArguments(List<String> other) {
        return new Scenario(model, accelerator, accelerators, version, other, environment, pinnedPoolBytes, mixed);
    }
}
