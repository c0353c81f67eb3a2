package dev.kvcast.cli;

import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.QuantizationNames;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.plan.ModelSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Looks models up in the packaged catalogue and a user's folder, each of them once. */
final class Models implements ModelSource {

    private final ModelCatalog catalog;
    private final Map<String, Found> known = new HashMap<>();

    Models(Optional<Path> folder, boolean offline, Map<String, String> environment) {
        this.catalog = folder.map(ModelCatalog::withFolder).orElseGet(ModelCatalog::packaged);
    }

    @Override
    public Found find(String name, Optional<String> quantization) {
        String key = name + "\n" + quantization.orElse("");
        Found found = known.get(key);
        if (found == null) {
            found = read(name, quantization);
            known.put(key, found);
        }
        return found;
    }

    private Found read(String name, Optional<String> quantization) {
        ModelCatalog.Found found = catalog.find(name);
        ModelConfig model = found.model();
        // A checkpoint that says how it is stored knows better than a word beside it.
        boolean replace = quantization.isPresent() && !model.quantization().quantized();
        if (replace) {
            model = model.withQuantization(QuantizationNames.parse(quantization.get()));
        }
        return new Found(model, found.warnings());
    }
}
