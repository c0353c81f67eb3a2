package dev.kvcast.model.io;

import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Quantization;
import dev.kvcast.model.QuantizationNames;
import dev.kvcast.model.config.ConfigReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of models, found by the names people write. Nothing is read before it is asked for: an exact name costs
 * one small file.
 */
public final class ModelCatalog {

    private static final int MOST_SUFFIXES = 4;
    private static final int SUGGESTIONS = 3;

    private final List<CatalogFiles> places;
    private final Map<String, Found> found = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Index> listed = new AtomicReference<>();

    private ModelCatalog(List<CatalogFiles> places) {
        this.places = places;
    }

    /** The packaged catalogue. */
    public static ModelCatalog packaged() {
        return new ModelCatalog(List.of(new CatalogResources()));
    }

    /** A folder of the same layout, and the packaged catalogue behind it. */
    public static ModelCatalog withFolder(Path folder) {
        return new ModelCatalog(List.of(new CatalogFolder(folder), new CatalogResources()));
    }

    /**
     * A model and what had to be assumed to find it.
     *
     * @param model the model, quantization applied
     * @param warnings assumptions, one line each
     */
    public record Found(ModelConfig model, List<String> warnings) {
        /** Copies the list. */
        public Found {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The model of that name.
     *
     * @param name exact id, an id in other case or without its owner, a checkpoint's name, or a catalogued name with a
     *     quantization at the end
     * @throws InputException when nothing or more than one model answers to it
     */
    public Found find(String name) {
        Found before = found.get(name);
        if (before != null) {
            return before;
        }
        Found now = search(name);
        found.put(name, now);
        return now;
    }

    private Found search(String name) {
        Optional<ModelConfig> exact = read(name, name);
        if (exact.isPresent()) {
            return new Found(exact.get(), List.of());
        }
        Index index = index();
        Optional<Found> named = lookUp(name, index);
        return named.or(() -> bySuffix(name, index)).orElseThrow(() -> unknown(name, index));
    }

    /** Every catalogued id, sorted; packaged and own ones together. */
    public List<String> ids() {
        return List.copyOf(index().ids());
    }

    /** Every published checkpoint name that shares a catalogued geometry, in the table's order. */
    public List<String> checkpointNames() {
        return index().checkpoints().stream().map(Checkpoint::name).toList();
    }

    private record Index(Set<String> ids, List<Checkpoint> checkpoints) {}

    private Index index() {
        Index before = listed.get();
        if (before != null) {
            return before;
        }
        Index now = list();
        listed.set(now);
        return now;
    }

    private Index list() {
        Set<String> ids = new LinkedHashSet<>();
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (CatalogFiles place : places) {
            try {
                ids.addAll(place.modelIds());
                Optional<InputStream> table = place.open("checkpoints.csv");
                if (table.isPresent()) {
                    try (InputStream stream = table.get()) {
                        checkpoints.addAll(CheckpointTable.read(stream, place.describe() + "/checkpoints.csv"));
                    }
                }
            } catch (IOException e) {
                throw InputException.badInput(place.describe() + " cannot be listed: " + e.getMessage())
                        .because(e);
            }
        }
        return new Index(ids, checkpoints);
    }

    private Optional<ModelConfig> read(String id, String shownAs) {
        if (id.indexOf('/') <= 0 || id.endsWith("/") || id.contains("//")) {
            return Optional.empty();
        }
        for (CatalogFiles place : places) {
            try {
                Optional<InputStream> config = place.open(id + "/config.json");
                if (config.isPresent()) {
                    try (InputStream stream = config.get()) {
                        String file = place.describe() + "/" + id + "/config.json";
                        return Optional.of(ConfigReader.read(shownAs, JsonSource.parse(stream, file)));
                    }
                }
            } catch (IOException e) {
                throw InputException.badInput(id + " cannot be read: " + e.getMessage())
                        .because(e);
            }
        }
        return Optional.empty();
    }

    /** Another spelling of an id or of a checkpoint; an owner that is given must match before it is ignored. */
    private Optional<Found> lookUp(String name, Index index) {
        String key = ModelName.key(name);
        Optional<Found> whole =
                choose(name, index, candidate -> ModelName.key(candidate).equals(key));
        if (whole.isPresent() || name.contains("/")) {
            return whole;
        }
        return choose(
                name,
                index,
                candidate -> ModelName.key(ModelName.bare(candidate)).equals(key));
    }

    private Optional<Found> choose(String name, Index index, Predicate<String> matches) {
        List<String> ids = index.ids().stream().filter(matches).toList();
        if (ids.size() > 1) {
            throw ambiguous(name, ids);
        }
        if (ids.size() == 1) {
            return read(ids.get(0), ids.get(0)).map(model -> new Found(model, List.of()));
        }
        List<Checkpoint> rows = index.checkpoints().stream()
                .filter(row -> matches.test(row.name()))
                .toList();
        Set<String> meanings = rows.stream()
                .map(row -> row.base() + " " + row.storage())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (meanings.size() > 1) {
            throw ambiguous(name, rows.stream().map(Checkpoint::name).toList());
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(ofCheckpoint(rows.get(0)));
    }

    private Found ofCheckpoint(Checkpoint row) {
        ModelConfig base = read(row.base(), row.name())
                .orElseThrow(() -> InputException.badInput("checkpoints.csv names " + row.base() + " as the base of "
                        + row.name() + ", but the catalogue has no such model"));
        ModelConfig model = base.withQuantization(row.storage());
        if (!row.kvScheme().isEmpty()) {
            model = model.withKvCacheDtype(row.kvScheme());
        }
        List<String> warnings = new ArrayList<>();
        if (row.uncertain()) {
            warnings.add(
                    row.name() + " keeps some layers in 16 bits that are not written down; its weights may be larger");
        }
        return new Found(model, warnings);
    }

    /** A re-quantized checkpoint that is not listed: its name says what it was made from and how. */
    private Optional<Found> bySuffix(String name, Index index) {
        String stem = name;
        String quantization = "";
        for (int count = 0; count < MOST_SUFFIXES; count++) {
            Optional<ModelName.Suffixed> suffixed = ModelName.suffix(stem);
            if (suffixed.isEmpty()) {
                return Optional.empty();
            }
            stem = suffixed.get().stem();
            quantization = suffixed.get().quantization() + (quantization.isEmpty() ? "" : "-" + quantization);
            Optional<Found> base = lookUp(stem, index).or(() -> Optional.empty());
            if (base.isEmpty()) {
                base = lookUp(ModelName.bare(stem), index);
            }
            if (base.isPresent()) {
                return Optional.of(requantized(name, base.get().model(), quantization));
            }
        }
        return Optional.empty();
    }

    private static Found requantized(String name, ModelConfig base, String suffix) {
        String method = suffix.replaceFirst("(?i)\\.gguf$", "").replaceFirst("(?i)^gguf-(?=i?q)", "");
        Quantization quantization = QuantizationNames.parse(method);
        List<String> warnings = List.of(name + " is not in the catalogue; taken as " + base.id() + " with "
                + (quantization.quantized() ? quantization.method() : "16-bit")
                + " weights and that method's usual exceptions");
        return new Found(base.withId(name).withQuantization(quantization), warnings);
    }

    private static InputException ambiguous(String name, List<String> candidates) {
        return InputException.unknownModel(
                "model \"" + name + "\" is ambiguous; write one of " + String.join(", ", candidates));
    }

    private static InputException unknown(String name, Index index) {
        String key = ModelName.key(ModelName.bare(name));
        int limit = Math.max(3, key.length() / 3);
        List<String> all = new ArrayList<>(index.ids());
        index.checkpoints().forEach(row -> all.add(row.name()));
        List<String> near = all.stream()
                .filter(id -> closeness(key, id, limit) <= limit)
                .sorted(Comparator.comparingInt(id -> closeness(key, id, limit)))
                .limit(SUGGESTIONS)
                .toList();
        String mend = near.isEmpty()
                ? "give a hub id, a folder with config.json, or a name listed by `kvcast models`"
                : "did you mean " + String.join(", ", near) + "?";
        return InputException.unknownModel("model \"" + name + "\" is not known; " + mend);
    }

    private static int closeness(String key, String id, int limit) {
        return ModelName.distance(key, ModelName.key(ModelName.bare(id)), limit);
    }
}
