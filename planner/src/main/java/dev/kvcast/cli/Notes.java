package dev.kvcast.cli;

import dev.kvcast.report.Style.Tone;
import java.util.List;

/** Warnings, which go to stderr and never into data. */
public final class Notes {

    private Notes() {}

    /** Prints one line for each, unless the user asked for quiet. */
    public static void warnings(Terminal terminal, SharedOptions.Choice choice, List<String> warnings) {
        if (choice.quiet()) {
            return;
        }
        for (String warning : warnings) {
            terminal.err().println(choice.style().paint(Tone.CAUTION, "note: ") + Failures.oneLine(warning));
        }
    }
}
