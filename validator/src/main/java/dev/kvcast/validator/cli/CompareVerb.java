package dev.kvcast.validator.cli;

import dev.kvcast.cli.CliOption;
import dev.kvcast.cli.ExitCode;
import dev.kvcast.cli.Invocation;
import dev.kvcast.cli.Notes;
import dev.kvcast.cli.Planners;
import dev.kvcast.cli.ScenarioOptions;
import dev.kvcast.cli.SharedOptions;
import dev.kvcast.cli.Verb;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.Planner;
import dev.kvcast.report.Csv;
import dev.kvcast.report.JsonOut;
import dev.kvcast.validator.compare.Comparer;
import dev.kvcast.validator.compare.Comparison;
import dev.kvcast.validator.compare.ComparisonJson;
import dev.kvcast.validator.compare.ComparisonText;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast compare}: predicted against measured for a run already made. */
final class CompareVerb implements Verb {

    private final RunArguments runs = RunArguments.one();
    private final ScenarioOptions scenario = new ScenarioOptions();
    private final SharingOptions sharing = new SharingOptions();
    private final SharedOptions shared = new SharedOptions();
    private final CliOption<Double> tolerance = CliOption.decimal(
            "--tolerance",
            "PCT",
            "Largest mean error of decode and of prefill rates, in percent; beyond it, or with a wrong verdict, exit 5.");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description("Predicted against measured, cell by cell: verdicts, speeds, intervals, patterns.")
                .customSynopsis("kvcast compare RUN [options] [-- ENGINE COMMAND]")
                .footer(
                        "",
                        "The scenario is the run's own launch command, card and engine where nothing else is given.",
                        "Exit code: 0 compared, 2 bad input, 3 unknown model or GPU, 5 outside the tolerance.");
        runs.addTo(spec);
        spec.addOption(tolerance.spec());
        sharing.addTo(spec);
        scenario.addTo(spec);
        shared.addTo(spec);
        return spec;
    }

    @Override
    public boolean takesEngineCommand() {
        return true;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) {
        Optional<Double> share = tolerance.in(arguments).map(CompareVerb::share);
        Planner planner = Planners.over(scenario.models(arguments, invocation), scenario.speeds(arguments));
        CheckedRun checked = CheckedRun.read(
                runs.in(arguments).get(0), new CheckedRun.Options(scenario, sharing), planner, arguments, invocation);
        Comparison comparison = new Comparer(
                        checked.run(), checked.fit(), planner.speed(checked.fit()), checked.sharedPrefix())
                .compare(checked.notes());
        SharedOptions.Choice choice = shared.in(arguments, invocation.terminal());
        invocation
                .terminal()
                .out()
                .print(
                        switch (choice.format()) {
                            case TABLE -> new ComparisonText(comparison).render(choice.style());
                            case JSON -> JsonOut.pretty(ComparisonJson.of(comparison, share));
                            case CSV -> Csv.render(ComparisonText.cells(comparison.cells()));
                            case MD -> new ComparisonText(comparison).markdown();
                        });
        Notes.warnings(invocation.terminal(), choice, comparison.notes());
        boolean outside = share.isPresent() && !comparison.within(share.get());
        return outside ? ExitCode.COMPARISON : ExitCode.OK;
    }

    private static double share(double percent) {
        if (percent < 0) {
            throw InputException.badInput("--tolerance is " + percent + "; expected percent, 0 or more");
        }
        return percent / 100;
    }
}
