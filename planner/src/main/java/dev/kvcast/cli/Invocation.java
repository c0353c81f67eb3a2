package dev.kvcast.cli;

import java.util.List;

/**
 * One call of the tool, as far as the verbs need to know it.
 *
 * @param terminal where to write
 * @param engineCommand everything after {@code --}, verbatim; empty without it
 */
public record Invocation(Terminal terminal, List<String> engineCommand) {

    /** Copies the command. */
    public Invocation {
        engineCommand = List.copyOf(engineCommand);
    }
}
