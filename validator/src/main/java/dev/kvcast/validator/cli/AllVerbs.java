package dev.kvcast.validator.cli;

import dev.kvcast.cli.PlannerVerbs;
import dev.kvcast.cli.Verb;
import dev.kvcast.cli.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The planner's verbs, then those that need a server or its measurements. */
public final class AllVerbs implements Verbs {

    private static final List<String> OWN = List.of("calibrate", "compare", "refit");

    private final Verbs planner = new PlannerVerbs();

    /** Creates the list; no verb's class is loaded. */
    public AllVerbs() {}

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>(planner.names());
        names.addAll(OWN);
        return names;
    }

    @Override
    public Optional<Verb> find(String name) {
        return switch (name) {
            case "calibrate" -> Optional.of(new CalibrateVerb());
            case "compare" -> Optional.of(new CompareVerb());
            case "refit" -> Optional.of(new RefitVerb());
            default -> planner.find(name);
        };
    }
}
