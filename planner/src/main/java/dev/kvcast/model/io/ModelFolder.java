package dev.kvcast.model.io;

import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A checkpoint folder on disk: {@code config.json} and, where they are, safetensors files. */
public final class ModelFolder {

    private static final String INDEX = "model.safetensors.index.json";
    private static final String HF_QUANT_CONFIG = "hf_quant_config.json";

    private ModelFolder() {}

    /**
     * What a folder holds.
     *
     * @param model the model
     * @param checkpoint exact bytes by component, empty without safetensors files
     * @param warnings contradictions that were settled, one line each
     */
    public record Contents(ModelConfig model, Optional<CheckpointBytes> checkpoint, List<String> warnings) {
        /** Copies the list. */
        public Contents {
            warnings = List.copyOf(warnings);
        }
    }

    /** Whether a name looks like a path rather than a model's name. */
    public static boolean looksLikePath(String name) {
        return name.startsWith("/") || name.startsWith("./") || name.startsWith("../") || name.endsWith("config.json");
    }

    /**
     * Reads a folder, or a single {@code config.json}.
     *
     * @throws InputException when the config or a safetensors header cannot be believed
     */
    public static Contents read(Path path) {
        boolean folder = Files.isDirectory(path);
        Path config = folder ? path.resolve("config.json") : path;
        Path home = folder ? path : path.toAbsolutePath().resolveSibling("");
        Map<String, Object> json = JsonSource.read(config);
        Path separate = home.resolve(HF_QUANT_CONFIG);
        if (!json.containsKey("quantization_config") && Files.isRegularFile(separate)) {
            json = new LinkedHashMap<>(json);
            json.put("hf_quant_config", JsonSource.read(separate));
        }
        ModelConfig model = ConfigReader.read(printable(path), json);
        List<String> warnings = new ArrayList<>();
        return new Contents(model, folder ? checkpoint(home, warnings) : Optional.empty(), warnings);
    }

    /** The path as the model's name; control characters in it must not reach a terminal or break a line. */
    private static String printable(Path path) {
        return path.toString().replaceAll("\\p{Cntrl}", "?");
    }

    private static Optional<CheckpointBytes> checkpoint(Path folder, List<String> warnings) {
        Path indexFile = folder.resolve(INDEX);
        boolean indexed = Files.isRegularFile(indexFile);
        Map<String, Object> index = indexed ? JsonSource.read(indexFile) : Map.of();
        Set<String> shards = indexed ? shards(index, indexFile) : unindexed(folder);
        if (shards.isEmpty()) {
            return Optional.empty();
        }
        List<SafetensorsHeader> headers = new ArrayList<>();
        for (String shard : shards) {
            headers.add(SafetensorsHeader.read(folder.resolve(shard)));
        }
        CheckpointBytes bytes = CheckpointBytes.of(headers);
        warnAboutTotal(index, bytes, indexFile.toString()).ifPresent(warnings::add);
        return Optional.of(bytes);
    }

    /** A published index has been wrong by a factor of 60; the headers are what is on disk. */
    static Optional<String> warnAboutTotal(Map<String, Object> index, CheckpointBytes bytes, String name) {
        if (index.get("metadata") instanceof Map<?, ?> metadata
                && metadata.get("total_size") instanceof Number total
                && total.doubleValue() != bytes.total()) {
            return Optional.of(name + " says total_size " + total + ", but the tensors have " + bytes.total()
                    + " bytes; the tensors count");
        }
        return Optional.empty();
    }

    /** File names of an index; a name that leaves the folder is refused. */
    static Set<String> shards(Map<String, Object> index, Object where) {
        Set<String> shards = new TreeSet<>();
        if (index.get("weight_map") instanceof Map<?, ?> map) {
            for (Object value : map.values()) {
                String shard = String.valueOf(value);
                if (shard.contains("/") || shard.contains("\\") || !shard.endsWith(".safetensors")) {
                    throw InputException.badInput(
                            where + " names the file \"" + shard + "\"; expected a .safetensors file beside it");
                }
                shards.add(shard);
            }
        }
        return shards;
    }

    private static Set<String> unindexed(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            Set<String> names = new TreeSet<>();
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".safetensors"))
                    .forEach(names::add);
            return names;
        } catch (IOException e) {
            throw InputException.badInput(folder + " cannot be listed: " + e.getMessage())
                    .because(e);
        }
    }
}
