package dev.kvcast.validator.cli;

import dev.kvcast.cli.Terminal;
import dev.kvcast.model.InputException;
import java.util.List;

/** Refuses a run that cannot be right: one line for each problem, then nothing is done. */
final class Refusal {

    private static final int MOST_LINES = 20;

    private Refusal() {}

    /**
     * Goes on only without problems.
     *
     * @param file name of the run, for messages
     */
    static void unless(List<String> problems, String file, Terminal terminal) {
        if (problems.isEmpty()) {
            return;
        }
        if (problems.size() == 1) {
            throw InputException.badInput(file + ": " + problems.get(0));
        }
        for (String problem : problems.subList(0, Math.min(MOST_LINES, problems.size()))) {
            terminal.err().println("kvcast: " + file + ": " + problem);
        }
        throw InputException.badInput(file + " has " + problems.size() + " problems; nothing was done");
    }
}
