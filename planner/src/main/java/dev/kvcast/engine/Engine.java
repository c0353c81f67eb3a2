package dev.kvcast.engine;

import java.util.List;
import java.util.Optional;

/** The capacity rules of one serving engine. */
public interface Engine {

    /** Name as written in commands and output, for example {@code vllm}. */
    String name();

    /**
     * Predicts the boot.
     *
     * @throws dev.kvcast.model.InputException for flags or combinations the engine would refuse, and for model kinds
     *     whose rules are not known
     */
    BootPlan plan(Scenario scenario);

    /**
     * Changes of the launch line that free memory or make requests cheaper, most harmless first. Each is a full
     * scenario, to be planned again rather than guessed at.
     */
    List<Adjustment> adjustments(Scenario scenario);

    /**
     * The quantization that a launch line asks for while an unquantized checkpoint is loaded, in the words of
     * {@code --weights}; empty where it asks for none or for one whose size is not modelled.
     */
    default Optional<String> quantizationOnLoad(List<String> arguments) {
        return Optional.empty();
    }
}
