package dev.kvcast.cli;

import java.util.List;
import java.util.Optional;

/** The verbs that need no server. */
public final class PlannerVerbs implements Verbs {

    private static final List<String> NAMES = List.of("fit", "matrix", "simulate", "models", "gpus");

    /** Creates the list; no verb's class is loaded. */
    public PlannerVerbs() {}

    @Override
    public List<String> names() {
        return NAMES;
    }

    @Override
    public Optional<Verb> find(String name) {
        return switch (name) {
            case "fit" -> Optional.of(new FitVerb());
            case "matrix" -> Optional.of(new MatrixVerb());
            case "simulate" -> Optional.of(new SimulateVerb());
            case "models" -> Optional.of(new ModelsVerb());
            case "gpus" -> Optional.of(new GpusVerb());
            default -> Optional.empty();
        };
    }
}
