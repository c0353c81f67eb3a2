package dev.kvcast.validator.cli;

import dev.kvcast.cli.CliOption;
import dev.kvcast.validator.results.MeasuredRun;
import dev.kvcast.validator.results.PromptSharing;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Whether the requests of a cell share their prompt, for files that do not say. */
final class SharingOptions {

    private final CliOption<Boolean> shared =
            CliOption.flag("--shared-prefix", "Requests of a cell share their prompt (default: what the file says).");
    private final CliOption<Boolean> distinct =
            CliOption.flag("--no-shared-prefix", "Requests of a cell have nothing in common.");

    void addTo(CommandSpec spec) {
        spec.addOption(shared.spec()).addOption(distinct.spec());
    }

    /**
     * Whether the prompt is shared.
     *
     * @param notes gets a line where it had to be assumed
     */
    boolean in(ParseResult arguments, MeasuredRun run, List<String> notes) {
        if (CliOption.isOn(shared, arguments) || CliOption.isOn(distinct, arguments)) {
            return CliOption.isOn(shared, arguments);
        }
        if (run.settings().sharing() == PromptSharing.UNKNOWN) {
            notes.add("the file does not say whether requests share their prompt; taken as distinct, "
                    + "--shared-prefix says otherwise");
        }
        return run.settings().sharing() == PromptSharing.SHARED;
    }
}
