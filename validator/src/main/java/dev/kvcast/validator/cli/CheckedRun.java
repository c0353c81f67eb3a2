package dev.kvcast.validator.cli;

import dev.kvcast.cli.Invocation;
import dev.kvcast.cli.ScenarioOptions;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.ModelSource;
import dev.kvcast.plan.Planner;
import dev.kvcast.validator.compare.ScenarioMatch;
import dev.kvcast.validator.compare.WeightReadLimit;
import dev.kvcast.validator.results.MeasuredRun;
import dev.kvcast.validator.results.RunChecks;
import dev.kvcast.validator.results.RunReaders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParseResult;

/**
 * A run that agrees with itself, with physics and with the scenario it was measured on.
 *
 * @param run the run
 * @param fit the planned scenario
 * @param sharedPrefix whether the requests of a cell share their prompt
 * @param notes what was assumed, one line each
 */
record CheckedRun(MeasuredRun run, Fit fit, boolean sharedPrefix, List<String> notes) {

    CheckedRun {
        notes = List.copyOf(notes);
    }

    /** The options that say what a run was measured on. */
    record Options(ScenarioOptions scenario, SharingOptions sharing) {}

    /** Reads and checks a file; what is wrong goes to standard error, a line each. */
    static CheckedRun read(Path file, Options options, Planner planner, ParseResult arguments, Invocation invocation) {
        MeasuredRun run = RunReaders.read(file);
        List<String> problems = new ArrayList<>(RunChecks.problems(run));
        Refusal.unless(problems, file.toString(), invocation.terminal());
        Fit fit = planner.fit(options.scenario().request(arguments, invocation, RunArguments.defaults(run)));
        ModelSource known = options.scenario().localModels(arguments, invocation);
        ScenarioMatch match = ScenarioMatch.of(run, fit, known, AcceleratorTable.packaged());
        problems.addAll(match.problems());
        if (problems.isEmpty()) {
            problems.addAll(RunChecks.beyond(run, WeightReadLimit.of(fit)));
        }
        Refusal.unless(problems, file.toString(), invocation.terminal());
        List<String> notes = new ArrayList<>(run.notes());
        notes.addAll(match.notes());
        if (run.hardware().details().get("note") instanceof String note) {
            notes.add("the run says of its machine: " + note);
        }
        boolean shared = options.sharing().in(arguments, run, notes);
        notes.addAll(fit.warnings());
        return new CheckedRun(run, fit, shared, notes);
    }
}
