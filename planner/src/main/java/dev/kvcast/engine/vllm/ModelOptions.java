package dev.kvcast.engine.vllm;

import dev.kvcast.model.DataType;
import java.util.Map;
import java.util.Optional;

/**
 * Flags about the model itself ({@code config/model.py}, {@code config/load.py}).
 *
 * @param name {@code --model}, where it is not positional
 * @param dtype {@code --dtype}, empty for {@code auto}
 * @param quantization {@code --quantization}
 * @param length {@code --max-model-len}
 * @param hfOverrides {@code --hf-overrides}, merged with the older {@code --rope-scaling} and {@code --rope-theta}
 * @param loadFormat {@code --load-format}
 * @param pooling whether {@code --runner}, {@code --convert} or {@code --task} ask for a pooling model
 * @param slidingWindowDisabled {@code --disable-sliding-window}
 */
public record ModelOptions(
        Optional<String> name,
        Optional<DataType> dtype,
        Optional<String> quantization,
        Length length,
        Map<String, Object> hfOverrides,
        String loadFormat,
        boolean pooling,
        boolean slidingWindowDisabled) {

    /** Copies the map. */
    public ModelOptions {
        hfOverrides = Map.copyOf(hfOverrides);
    }

    /** How the longest sequence is chosen. */
    public sealed interface Length {

        /** The model's own. */
        record OfModel() implements Length {}

        /** The longest that memory holds, up to the model's own ({@code auto}, {@code -1}). */
        record FromMemory() implements Length {}

        /**
         * As given.
         *
         * @param tokens prompt and output together
         */
        record Tokens(long tokens) implements Length {}
    }
}
