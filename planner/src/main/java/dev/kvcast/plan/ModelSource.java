package dev.kvcast.plan;

import dev.kvcast.model.ModelConfig;
import java.util.List;
import java.util.Optional;

/** Where models are looked up by name. */
public interface ModelSource {

    /**
     * A model and what had to be assumed to find it.
     *
     * @param model the model
     * @param warnings assumptions, in one line each
     */
    record Found(ModelConfig model, List<String> warnings) {
        /** Copies the list. */
        public Found {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The model of that name.
     *
     * @param name a name as people write it, a hub id or a folder
     * @param quantization what replaces the checkpoint's own quantization
     * @throws dev.kvcast.model.InputException when it is unknown, ambiguous or cannot be read
     */
    Found find(String name, Optional<String> quantization);
}
