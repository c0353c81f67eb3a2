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
import dev.kvcast.report.Markdown;
import dev.kvcast.report.Style;
import dev.kvcast.report.Table;
import dev.kvcast.report.TextTable;
import dev.kvcast.validator.fit.CalibrationReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast calibrate}: fits the coefficients of one deployment to measured runs. */
final class CalibrateVerb implements Verb {

    private final RunArguments runs = RunArguments.any();
    private final ScenarioOptions scenario = new ScenarioOptions();
    private final SharingOptions sharing = new SharingOptions();
    private final SharedOptions shared = new SharedOptions();
    private final CliOption<Path> out =
            CliOption.path("--out", "FILE", "Where the coefficients go; every verb takes them as --calibration FILE.");
    private final CliOption<Long> suggest = CliOption.number(
            "--suggest", "N", "Say which N cells to measure next: those that make the whole matrix most certain.");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Fit the speed coefficients of one deployment to measured runs, five cells or more of them.")
                .customSynopsis("kvcast calibrate RUN... --out FILE [--suggest N] [options] [-- ENGINE COMMAND]")
                .footer(
                        "",
                        "The scenario is the run's own launch command, card and engine where nothing else is given.",
                        "A run that contradicts itself, physics or the scenario is refused and nothing is written.",
                        "Exit code: 0 calibrated, 2 bad input, 3 unknown model or GPU.");
        runs.addTo(spec);
        spec.addOption(out.spec()).addOption(suggest.spec());
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
        List<Path> files = runs.in(arguments);
        Optional<Path> target = out.in(arguments);
        int count = count(suggest.in(arguments).orElse(0L));
        check(files, target, count);
        Planner planner = Planners.over(scenario.models(arguments, invocation), scenario.speeds(arguments));
        List<CheckedRun> checked = new ArrayList<>();
        for (Path file : files) {
            checked.add(
                    CheckedRun.read(file, new CheckedRun.Options(scenario, sharing), planner, arguments, invocation));
        }
        Calibrating calibrating = checked.isEmpty()
                ? Calibrating.unmeasured(
                        planner.fit(scenario.request(arguments, invocation)), scenario.speeds(arguments))
                : Calibrating.measured(files, checked, scenario.speeds(arguments));
        CalibrationReport report = calibrating.report(target, count);
        SharedOptions.Choice choice = shared.in(arguments, invocation.terminal());
        invocation.terminal().out().print(rendered(report, choice));
        Notes.warnings(invocation.terminal(), choice, report.notes());
        return ExitCode.OK;
    }

    private static void check(List<Path> files, Optional<Path> target, int count) {
        if (target.isEmpty() && count == 0) {
            throw InputException.badInput("nothing to do; add --out FILE for the coefficients, or --suggest N");
        }
        if (target.isPresent() && files.isEmpty()) {
            throw InputException.badInput("no measured run given; calibrate takes result files");
        }
        for (Path file : files) {
            if (target.isPresent()
                    && file.toAbsolutePath()
                            .normalize()
                            .equals(target.get().toAbsolutePath().normalize())) {
                throw InputException.badInput("--out " + file + " would overwrite the run; give another file");
            }
        }
    }

    private static int count(long typed) {
        if (typed > 1000) {
            throw InputException.badInput("--suggest is " + typed + "; expected at most 1000 cells");
        }
        return (int) typed;
    }

    private static String rendered(CalibrationReport report, SharedOptions.Choice choice) {
        List<Table> tables = new ArrayList<>();
        report.cells().ifPresent(tables::add);
        report.suggested().ifPresent(tables::add);
        return switch (choice.format()) {
            case JSON -> JsonOut.pretty(report.json());
            // One table is all that a CSV file holds; without a fit it is the suggestions.
            case CSV -> tables.isEmpty() ? "" : Csv.render(tables.get(0));
            case TABLE -> text(report, tables, choice.style());
            case MD -> markdown(report, tables);
        };
    }

    private static String text(CalibrationReport report, List<Table> tables, Style style) {
        StringBuilder text = new StringBuilder(style.paint(Style.Tone.STRONG, report.headline())).append('\n');
        tables.forEach(table -> text.append('\n').append(TextTable.render(table, style)));
        report.file()
                .ifPresent(file -> text.append("\nwritten to ").append(file).append('\n'));
        return text.toString();
    }

    private static String markdown(CalibrationReport report, List<Table> tables) {
        StringBuilder text = new StringBuilder(report.headline()).append('\n');
        tables.forEach(table -> text.append('\n').append(Markdown.render(table)));
        return text.toString();
    }
}
