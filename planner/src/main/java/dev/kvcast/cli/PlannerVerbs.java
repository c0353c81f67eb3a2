package dev.kvcast.cli;

import java.util.List;
import java.util.Optional;

/** The verbs that need no server. */
public final class PlannerVerbs implements Verbs {

    private static final List<String> NAMES = List.of();

    /** Creates the list; no verb's class is loaded. */
    public PlannerVerbs() {}

    @Override
    public List<String> names() {
        return NAMES;
    }

    @Override
    public Optional<Verb> find(String name) {
        return switch (name) {
            // A verb adds its line here: case "fit" -> Optional.of(new FitVerb());
            default -> Optional.empty();
        };
    }
}
