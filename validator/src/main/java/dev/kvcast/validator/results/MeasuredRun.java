package dev.kvcast.validator.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A matrix of measurements of one deployment.
 *
 * @param source where it comes from, for people
 * @param tool what measured it, with its version where known
 * @param hardware the machine
 * @param engine the serving engine
 * @param model model as the file names it
 * @param launchCommand the engine's command line, as one shell would take it
 * @param settings how it was measured
 * @param cells measurements in the file's order
 * @param notes what a reader left out or assumed, one line each
 */
public record MeasuredRun(
        String source,
        String tool,
        Hardware hardware,
        Engine engine,
        Optional<String> model,
        Optional<String> launchCommand,
        RunSettings settings,
        List<MeasuredCell> cells,
        List<String> notes) {

    /** Copies the lists. */
    public MeasuredRun {
        cells = List.copyOf(cells);
        notes = List.copyOf(notes);
    }

    /**
     * The machine.
     *
     * @param gpu name of its cards
     * @param gpuCount how many were used
     * @param details whatever else the file says: text, {@code Long}, {@code Double} or {@code Boolean} by name
     */
    public record Hardware(Optional<String> gpu, OptionalInt gpuCount, Map<String, Object> details) {

        /** Nothing is known. */
        public static final Hardware UNKNOWN = new Hardware(Optional.empty(), OptionalInt.empty(), Map.of());

        /** Copies the map. */
        public Hardware {
            details = copy(details);
        }
    }

    /**
     * The serving engine.
     *
     * @param name {@code vllm}, {@code sglang}, {@code llama.cpp}, ...
     * @param version its release
     * @param details whatever else the file says: text, {@code Long}, {@code Double} or {@code Boolean} by name
     */
    public record Engine(Optional<String> name, Optional<String> version, Map<String, Object> details) {

        /** Nothing is known. */
        public static final Engine UNKNOWN = new Engine(Optional.empty(), Optional.empty(), Map.of());

        /** Copies the map. */
        public Engine {
            details = copy(details);
        }

        /** An engine known by its name. */
        static Engine named(String name) {
            return new Engine(Optional.of(name), Optional.empty(), Map.of());
        }
    }

    /** The prefill cells. */
    public List<MeasuredCell.Prefill> prefills() {
        return cells.stream()
                .filter(MeasuredCell.Prefill.class::isInstance)
                .map(MeasuredCell.Prefill.class::cast)
                .toList();
    }

    /** The cells that generate tokens. */
    public List<MeasuredCell.Decode> decodes() {
        return cells.stream()
                .filter(MeasuredCell.Decode.class::isInstance)
                .map(MeasuredCell.Decode.class::cast)
                .toList();
    }

    /** The same run with a launch line in place of the file's own. */
    public MeasuredRun withLaunchCommand(String command) {
        return new MeasuredRun(source, tool, hardware, engine, model, Optional.of(command), settings, cells, notes);
    }

    /** A copy that keeps the order of its keys. */
    static Map<String, Object> copy(Map<String, Object> details) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
