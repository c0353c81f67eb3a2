package dev.kvcast.cli;

import java.util.List;
import java.util.Optional;

/** The verbs of a command line, made one at a time so that the others cost nothing at start-up. */
public interface Verbs {

    /** Names in the order that the help lists them. */
    List<String> names();

    /**
     * Makes the command behind a verb.
     *
     * @param name what the user typed
     * @param invocation where to write, and the engine command after {@code --}
     * @return a picocli command that is a {@code Callable<Integer>}, or empty for a name that is no verb
     */
    Optional<Object> create(String name, Invocation invocation);
}
