package dev.kvcast.cli;

import java.util.List;
import java.util.Optional;

/** The verbs that need no server. */
public final class PlannerVerbs implements Verbs {

    /** Creates the list; no command class is loaded. */
    public PlannerVerbs() {}

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public Optional<Object> create(String name, Invocation invocation) {
        return Optional.empty();
    }
}
