package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.io.HttpHubClient;
import dev.kvcast.model.io.HubModels;
import dev.kvcast.model.io.HubSettings;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.model.io.ModelFolder;
import dev.kvcast.model.io.UsualBuilds;
import dev.kvcast.plan.ModelSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks models up, each of them once: a folder where the name is a path, else the catalogue, else the hub unless that is
 * ruled out.
 */
final class Models implements ModelSource {

    private final ModelCatalog catalog;
    private final boolean offline;
    private final Map<String, String> environment;
    private final Map<String, Found> known = new HashMap<>();

    Models(Optional<Path> folder, boolean offline, Map<String, String> environment) {
        this.catalog = folder.map(ModelCatalog::withFolder).orElseGet(ModelCatalog::packaged);
        this.offline = offline;
        this.environment = environment;
    }

    @Override
    public Found find(String name, Optional<String> quantization) {
        String key = name + "\n" + quantization.orElse("");
        Found found = known.get(key);
        if (found == null) {
            found = requantized(read(name), quantization);
            known.put(key, found);
        }
        return found;
    }

    private Found read(String name) {
        if (isFolder(name)) {
            ModelFolder.Contents contents = ModelFolder.read(Path.of(name));
            ModelConfig model = contents.checkpoint()
                    .map(exact -> contents.model().withBytes(exact.byComponent()))
                    .orElse(contents.model());
            return new Found(model, contents.warnings());
        }
        try {
            ModelCatalog.Found found = catalog.find(name);
            return new Found(found.model(), found.warnings());
        } catch (InputException unknown) {
            boolean hubId = name.indexOf('/') > 0 && name.indexOf('/') == name.lastIndexOf('/');
            if (offline || !hubId || unknown.code() != InputException.Code.UNKNOWN_MODEL) {
                throw unknown;
            }
            return fromHub(name, unknown);
        }
    }

    private Found fromHub(String name, InputException unknown) {
        HubModels hub = hub();
        try {
            List<String> warnings = new ArrayList<>();
            ModelConfig model = hub.model(name);
            ModelConfig exact = hub.checkpoint(name, warnings)
                    .map(bytes -> model.withBytes(bytes.byComponent()))
                    .orElse(model);
            return new Found(exact, warnings);
        } catch (InputException e) {
            if (e.code() == InputException.Code.SERVER) {
                throw InputException.unknownModel(
                                unknown.getMessage() + " (and the hub cannot be asked: " + e.getMessage() + ")")
                        .because(e);
            }
            throw e;
        }
    }

    private HubModels hub() {
        String home = environment.getOrDefault("HOME", ".");
        return new HubModels(new HttpHubClient(HubSettings.of(environment, home, offline)));
    }

    private static Found requantized(Found found, Optional<String> quantization) {
        return quantization.isEmpty()
                ? found
                : new Found(UsualBuilds.stated(found.model(), quantization.get()), found.warnings());
    }

    private static boolean isFolder(String name) {
        return ModelFolder.looksLikePath(name) || Files.isDirectory(Path.of(name));
    }

    /**
     * Copies the config of a folder into a folder of own models.
     *
     * @return the file that was written
     */
    Path importInto(String name, Path folder) {
        if (!isFolder(name)) {
            throw InputException.badInput("--import takes a folder with config.json; '" + name + "' is none");
        }
        Path source = Path.of(name);
        Path config = Files.isDirectory(source) ? source.resolve("config.json") : source;
        ModelFolder.read(source);
        Path parent = config.toAbsolutePath().normalize().getParent();
        String base = parent == null ? "model" : String.valueOf(parent.getFileName());
        Path target = folder.resolve("local").resolve(base).resolve("config.json");
        try {
            Files.createDirectories(target.resolveSibling(""));
            Files.copy(config, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw InputException.badInput("cannot write " + target + ": " + e.getMessage())
                    .because(e);
        }
        return target;
    }
}
