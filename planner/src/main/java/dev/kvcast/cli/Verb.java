package dev.kvcast.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * One verb: what it takes, and what it does.
 *
 * <p>Options are declared in code rather than by annotations: reading picocli's annotations by reflection costs more
 * than all the rest of a start.
 */
public interface Verb {

    /** Description, options and positional parameters; the name and {@code --help} are added by the runner. */
    CommandSpec spec();

    /** Whether an engine's launch command may follow after {@code --}. */
    default boolean takesEngineCommand() {
        return false;
    }

    /**
     * Does the work.
     *
     * @param arguments what was typed, valid as far as {@link #spec()} says
     * @param invocation where to write, and the engine command
     * @return an {@link ExitCode}
     * @throws dev.kvcast.model.InputException for anything wrong with the input
     */
    int run(ParseResult arguments, Invocation invocation);
}
