package dev.kvcast.cli;

import java.util.List;
import java.util.Optional;

/** The verbs of a command line, made one at a time so that the others cost nothing at start-up. */
public interface Verbs {

    /** Names in the order that the help lists them. */
    List<String> names();

    /** The verb of that name, or empty for a word that is none. */
    Optional<Verb> find(String name);
}
