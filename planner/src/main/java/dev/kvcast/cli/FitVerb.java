package dev.kvcast.cli;

import dev.kvcast.capacity.Verdict;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.Planner;
import dev.kvcast.report.Csv;
import dev.kvcast.report.JsonOut;
import dev.kvcast.report.Markdown;
import dev.kvcast.report.PlanJson;
import dev.kvcast.report.PlanTable;
import dev.kvcast.report.PlanText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast fit}: will this fit. */
final class FitVerb implements Verb {

    private final ScenarioOptions scenario = new ScenarioOptions();
    private final SharedOptions shared = new SharedOptions();
    private final CliOption<Boolean> why = CliOption.flag("--why", "Show every component, formula and group.");
    private final CliOption<Path> batch =
            CliOption.path("--batch", "FILE.jsonl", "One scenario a line in, one answer a line out ('-': stdin).");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description("Will this fit: memory breakdown, KV pool, concurrency and what would help.")
                .customSynopsis("kvcast fit [options] [-- ENGINE COMMAND]")
                .footer("", "Exit code: 0 it fits, 1 it does not, 2 bad input, 3 unknown model or GPU.");
        scenario.addTo(spec);
        spec.addOption(why.spec()).addOption(batch.spec());
        shared.addTo(spec);
        return spec;
    }

    @Override
    public boolean takesEngineCommand() {
        return true;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) {
        Planner planner = Planners.over(scenario.models(arguments, invocation), ScenarioOptions.NO_SPEEDS);
        PrintWriter out = invocation.terminal().out();
        Optional<Path> file = batch.in(arguments);
        if (file.isPresent()) {
            return Batch.run(
                    file.get(), out, line -> JsonOut.compact(PlanJson.fit(planner.fit(BatchScenario.read(line)))));
        }
        Fit fit = planner.fit(scenario.request(arguments, invocation));
        SharedOptions.Choice choice = shared.in(arguments, invocation.terminal());
        out.print(
                switch (choice.format()) {
                    case TABLE -> PlanText.fit(fit, choice.style(), CliOption.isOn(why, arguments));
                    case JSON -> JsonOut.pretty(PlanJson.fit(fit));
                    case CSV -> Csv.render(PlanTable.fit(fit));
                    case MD -> Markdown.render(PlanTable.fit(fit));
                });
        Notes.warnings(invocation.terminal(), choice, fit.warnings());
        return fit.verdict() == Verdict.OVER ? ExitCode.OVER : ExitCode.OK;
    }
}
