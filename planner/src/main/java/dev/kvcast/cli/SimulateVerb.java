package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.Planner;
import dev.kvcast.report.Format;
import dev.kvcast.report.JsonOut;
import dev.kvcast.report.SimulationJson;
import dev.kvcast.report.SimulationTable;
import dev.kvcast.report.Units;
import dev.kvcast.simulate.CalibratedClock;
import dev.kvcast.simulate.Frontend;
import dev.kvcast.simulate.Objective;
import dev.kvcast.simulate.RateSweep;
import dev.kvcast.simulate.Rooflines;
import dev.kvcast.simulate.Router;
import dev.kvcast.simulate.Simulation;
import dev.kvcast.simulate.SimulationResult;
import dev.kvcast.simulate.SimulationSettings;
import dev.kvcast.simulate.StepClock;
import dev.kvcast.simulate.io.RequestLog;
import dev.kvcast.simulate.vllm.BootSettings;
import dev.kvcast.simulate.vllm.VllmScheduler;
import dev.kvcast.throughput.SpeedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast simulate}: a workload or trace through the engine's scheduler. */
final class SimulateVerb implements Verb {

    private static final double MILLIS = 1000;
    private static final double LONGEST_TIME = 1e9;

    private final ScenarioOptions scenario = new ScenarioOptions();
    private final WorkloadOptions workload = new WorkloadOptions();
    private final SharedOptions shared = new SharedOptions();
    private final CliOption<Long> poolBlocks =
            CliOption.number("--pool-blocks", "N", "Blocks of one replica's pool, instead of the predicted ones.");
    private final CliOption<String> router =
            CliOption.text("--router", "KIND", "round-robin (default), least-loaded or prefix-aware.");
    private final CliOption<String> slo =
            CliOption.text("--slo", "LIST", "What counts as served well, such as ttft=500ms,itl=40ms,e2e=10s.");
    private final CliOption<String> sweep =
            CliOption.text("--sweep", "rate=A..B", "Run at several rates; find the largest that keeps the SLO.");
    private final CliOption<Double> maxTime =
            CliOption.decimal("--max-time", "S", "Stop after so many simulated seconds.");
    private final CliOption<Path> requestsOut =
            CliOption.path("--requests-out", "FILE.csv", "Write one line a request.");
    private final CliOption<Path> seriesOut =
            CliOption.path("--series-out", "FILE.csv", "Write running, waiting, KV usage and tokens/s over time.");
    private final CliOption<Double> frontendMillis =
            CliOption.decimal("--frontend-ms", "MS", "Time the API server takes before the engine (default: 0).");
    private final CliOption<Boolean> roofline =
            CliOption.flag("--roofline", "Take step times from bandwidth and FLOP/s alone, not from measured runs.");
    private final CliOption<Boolean> stepByStep =
            CliOption.flag("--step-by-step", "Decide every step by itself: slower, same outcome.");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description("Run a workload or trace through the engine's scheduler, step by step.")
                .customSynopsis("kvcast simulate [options] [-- ENGINE COMMAND]")
                .footer("", "Exit code: 0 simulated, 2 bad input, 3 unknown model or GPU.");
        workload.addTo(spec);
        for (CliOption<?> option : List.of(
                poolBlocks,
                router,
                slo,
                sweep,
                maxTime,
                requestsOut,
                seriesOut,
                frontendMillis,
                roofline,
                stepByStep)) {
            spec.addOption(option.spec());
        }
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
        Planner planner = Planners.over(scenario.models(arguments, invocation), scenario.speeds(arguments));
        Fit fit = planner.fit(scenario.request(arguments, invocation));
        BootSettings boot = BootSettings.of(
                fit.scenario(),
                fit.plan(),
                poolBlocks.in(arguments).map(OptionalLong::of).orElse(OptionalLong.empty()));
        Optional<SpeedModel> speed = CliOption.isOn(roofline, arguments) ? Optional.empty() : planner.speed(fit);
        StepClock clock = speed.<StepClock>map(model -> new CalibratedClock(model.stepTime()))
                .orElseGet(() -> Rooflines.of(fit.scenario(), fit.plan()));
        SharedOptions.Choice choice = shared.in(arguments, invocation.terminal());
        List<String> notes = new ArrayList<>(boot.notes());
        ProgressBar bar = new ProgressBar(invocation.terminal().err());
        try (Interrupts interrupts = new Interrupts()) {
            boolean watched = invocation.terminal().outIsTerminal() && !choice.quiet();
            SimulationSettings settings = settings(arguments, boot, speed, interrupts, watched ? bar : (a, b, c) -> {});
            String text = sweep.in(arguments).isPresent()
                    ? sweep(sweep.in(arguments).get(), arguments, boot, clock, settings, choice, notes)
                    : single(arguments, boot, clock, settings, choice, notes);
            bar.clear();
            invocation.terminal().out().print(text);
            invocation.terminal().out().flush();
            Notes.warnings(invocation.terminal(), choice, List.copyOf(new LinkedHashSet<>(notes)));
        }
        return ExitCode.OK;
    }

    private SimulationSettings settings(
            ParseResult arguments,
            BootSettings boot,
            Optional<SpeedModel> speed,
            Interrupts interrupts,
            SimulationSettings.Progress progress) {
        double api = frontendMillis
                .in(arguments)
                .map(millis -> bounded(frontendMillis, millis, 0) / MILLIS)
                .orElse(speed.map(SpeedModel::apiSeconds).orElse(0.0));
        return new SimulationSettings(
                router(arguments),
                new Frontend(api, 0, 0),
                slo.in(arguments).map(SimulateVerb::objective).orElse(Objective.NONE),
                boot.settings().maxModelLen(),
                maxTime.in(arguments)
                        .map(limit -> bounded(maxTime, limit, Double.MIN_VALUE))
                        .orElse(Double.POSITIVE_INFINITY),
                CliOption.isOn(stepByStep, arguments),
                interrupts::requested,
                progress);
    }

    private SimulationResult run(
            ParseResult arguments,
            OptionalDouble rate,
            BootSettings boot,
            StepClock clock,
            SimulationSettings settings,
            List<String> notes) {
        return new Simulation(
                        workload.workload(arguments, rate, notes),
                        requests -> new VllmScheduler(boot.settings(), requests),
                        boot.replicas(),
                        clock,
                        settings)
                .run();
    }

    private String single(
            ParseResult arguments,
            BootSettings boot,
            StepClock clock,
            SimulationSettings settings,
            SharedOptions.Choice choice,
            List<String> notes) {
        SimulationResult result = run(arguments, OptionalDouble.empty(), boot, clock, settings, notes);
        requestsOut.in(arguments).ifPresent(file -> RequestLog.write(file, result));
        seriesOut.in(arguments).ifPresent(file -> RequestLog.writeSeries(file, result));
        if (choice.format() == Format.JSON) {
            return JsonOut.pretty(SimulationJson.run(result));
        }
        String table = Tables.render(SimulationTable.times(result), choice);
        return choice.format() == Format.TABLE ? SimulationTable.headline(result) + "\n" + table : table;
    }

    private String sweep(
            String text,
            ParseResult arguments,
            BootSettings boot,
            StepClock clock,
            SimulationSettings settings,
            SharedOptions.Choice choice,
            List<String> notes) {
        int dots = text.indexOf("..");
        if (!text.startsWith("rate=") || dots < 0) {
            throw InputException.badInput("--sweep '" + text + "'; expected rate=1..20");
        }
        double low = Units.parseDecimal(text.substring("rate=".length(), dots));
        double high = Units.parseDecimal(text.substring(dots + 2));
        if (!(low > 0 && low < high)) {
            throw InputException.badInput("--sweep '" + text + "'; expected two positive rates, the smaller one first");
        }
        if (slo.in(arguments).isEmpty()) {
            throw InputException.badInput("--sweep looks for the largest rate that keeps an objective; "
                    + "add one, such as --slo ttft=500ms,itl=40ms");
        }
        RateSweep found = RateSweep.over(
                low, high, rate -> run(arguments, OptionalDouble.of(rate), boot, clock, settings, notes));
        if (choice.format() == Format.JSON) {
            return JsonOut.pretty(SimulationJson.sweep(found));
        }
        String largest = found.largestRate()
                .map(rate -> "Largest rate that keeps the SLO: " + Units.fixed(rate, 3) + " requests/s\n")
                .orElse("No rate of the range keeps the SLO\n");
        if (found.points().stream().anyMatch(point -> point.result().interrupted())) {
            largest = "Interrupted: not every rate was tried, and the last run is cut short\n";
        }
        String table = Tables.render(SimulationTable.sweep(found), choice);
        return choice.format() == Format.TABLE ? largest + "\n" + table : table;
    }

    private static double bounded(CliOption<Double> option, double value, double least) {
        if (!(value >= least && value <= LONGEST_TIME)) {
            throw InputException.badInput(option.spec().longestName() + " is " + value + "; expected "
                    + (least > 0 ? "more than 0" : "0 or more") + ", at most 1e9");
        }
        return value;
    }

    private Router.Policy router(ParseResult arguments) {
        String name = router.in(arguments).orElse(Router.Policy.ROUND_ROBIN.label());
        for (Router.Policy policy : Router.Policy.values()) {
            if (policy.label().equals(name)) {
                return policy;
            }
        }
        throw InputException.badInput(
                "--router '" + name + "' is unknown; use round-robin, least-loaded or prefix-aware");
    }

    private static Objective objective(String text) {
        double ttft = Double.POSITIVE_INFINITY;
        double perToken = Double.POSITIVE_INFINITY;
        double endToEnd = Double.POSITIVE_INFINITY;
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            switch (name) {
                case "ttft" -> ttft = seconds(part, equals);
                case "itl", "tpot" -> perToken = seconds(part, equals);
                case "e2e" -> endToEnd = seconds(part, equals);
                default -> throw InputException.badInput("--slo '" + part + "'; use ttft, itl, tpot or e2e");
            }
        }
        return new Objective(ttft, perToken, endToEnd);
    }

    private static double seconds(String part, int equals) {
        String value = part.substring(equals + 1);
        boolean millis = value.endsWith("ms");
        boolean seconds = !millis && value.endsWith("s");
        if (equals < 0 || !(millis || seconds)) {
            throw InputException.badInput("--slo '" + part + "'; expected a time such as ttft=500ms or e2e=10s");
        }
        double number = Units.parseDecimal(value.substring(0, value.length() - (millis ? 2 : 1)));
        return millis ? number / MILLIS : number;
    }
}
