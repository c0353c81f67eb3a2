package dev.kvcast.cli;

import dev.kvcast.report.Format;
import dev.kvcast.report.Style;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options that every verb takes: how to print. {@code --debug} is read by the runner. */
public final class SharedOptions {

    /** The switch that adds a stack trace to an error. */
    static final String DEBUG = "--debug";

    private final CliOption<Format> format =
            CliOption.choice(Format.class, "--format", "How to print the data (default: table).");
    private final CliOption<Boolean> quiet = CliOption.flag("--quiet", "Print no notes and no warnings.");
    private final CliOption<Boolean> noColor =
            CliOption.flag("--no-color", "Print without colour; NO_COLOR in the environment does the same.");
    private final CliOption<Boolean> debug = CliOption.flag(DEBUG, "Add a stack trace to an error.");

    /** Creates the options of one verb. */
    public SharedOptions() {}

    /** Adds the options to a verb's description, after its own. */
    public void addTo(CommandSpec spec) {
        spec.addOption(format.spec())
                .addOption(quiet.spec())
                .addOption(noColor.spec())
                .addOption(debug.spec());
    }

    /** What was chosen, with defaults filled in from the terminal and its environment. */
    public Choice in(ParseResult arguments, Terminal terminal) {
        Format chosen = format.in(arguments).orElse(Format.TABLE);
        boolean colour = chosen == Format.TABLE
                && !CliOption.isOn(noColor, arguments)
                && wantsColour(terminal.outIsTerminal(), terminal.environment());
        return new Choice(chosen, CliOption.isOn(quiet, arguments), colour ? Style.COLOUR : Style.PLAIN);
    }

    /** Colour is for a person at a terminal that can show it and has not said no (see no-color.org). */
    static boolean wantsColour(boolean isTerminal, Map<String, String> environment) {
        return isTerminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /**
     * How to print.
     *
     * @param format form of the data
     * @param quiet whether to leave out notes and warnings
     * @param style whether to use colour; always plain unless the format is a table
     */
    public record Choice(Format format, boolean quiet, Style style) {}
}
