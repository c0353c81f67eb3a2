package dev.kvcast.validator.cli;

import dev.kvcast.capacity.Capacity;
import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.SkipRule;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.engine.Scenario;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.Fit;
import dev.kvcast.throughput.CoefficientLibrary;
import dev.kvcast.throughput.Coefficients;
import dev.kvcast.throughput.EngineCoefficients;
import dev.kvcast.throughput.WorkCounter;
import dev.kvcast.throughput.io.CoefficientsFile;
import dev.kvcast.validator.fit.BenchmarkCell;
import dev.kvcast.validator.fit.Calibration;
import dev.kvcast.validator.fit.CalibrationReport;
import dev.kvcast.validator.fit.Calibrator;
import dev.kvcast.validator.fit.Observation;
import dev.kvcast.validator.fit.RunObservations;
import dev.kvcast.validator.fit.Suggestion;
import dev.kvcast.validator.results.RunSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One calibration: runs of one deployment in, coefficients out. */
final class Calibrating {

    private static final List<Long> CONTEXTS = List.of(0L, 16384L, 32768L, 65536L, 131072L);
    private static final List<Long> CONCURRENCIES = List.of(1L, 2L, 4L, 8L, 16L, 32L);
    private static final List<Long> PREFILLS = List.of(8192L, 16384L, 32768L, 65536L, 131072L);
    private static final long OUTPUT_TOKENS = 8192;

    private final Fit fit;
    private final List<CheckedRun> runs;
    private final List<EngineCoefficients.Run> sources;
    private final Coefficients defaults;
    private final Calibrator calibrator;

    private Calibrating(
            Fit fit, List<CheckedRun> runs, List<EngineCoefficients.Run> sources, CoefficientLibrary speeds) {
        this.fit = fit;
        this.runs = runs;
        this.sources = sources;
        Scenario scenario = fit.scenario();
        this.defaults = speeds.find(
                        fit.plan().engine(),
                        scenario.accelerator(),
                        scenario.model().id())
                .orElseThrow(() -> InputException.unsupported("there are no speed coefficients for engine "
                        + fit.plan().engine() + " to start from"));
        this.calibrator = new Calibrator(scenario, fit.plan(), defaults);
    }

    /** Before anything was measured. */
    static Calibrating unmeasured(Fit fit, CoefficientLibrary speeds) {
        return new Calibrating(fit, List.of(), List.of(), speeds);
    }

    /** Runs of one deployment, at least one. */
    static Calibrating measured(List<Path> files, List<CheckedRun> runs, CoefficientLibrary speeds) {
        Fit first = runs.get(0).fit();
        List<EngineCoefficients.Run> sources = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            CheckedRun run = runs.get(i);
            if (!sameDeployment(first, run.fit())) {
                throw InputException.badInput(
                        files.get(i) + " is of another deployment than " + files.get(0) + "; calibrate each by itself");
            }
            run.run().settings().speculative().ifPresent(method -> {
                throw InputException.badInput(run.run().source() + " was measured with speculative decoding (" + method
                        + "); calibrate on a run without");
            });
            if (run.sharedPrefix() != runs.get(0).sharedPrefix()) {
                throw InputException.badInput(files.get(i) + " and " + files.get(0)
                        + " differ in whether requests share their prompt; calibrate on one kind");
            }
            sources.add(new EngineCoefficients.Run(
                    String.valueOf(files.get(i).getFileName()), run.run().source()));
        }
        return new Calibrating(first, runs, sources, speeds);
    }

    private static boolean sameDeployment(Fit one, Fit other) {
        return one.equals(other)
                || (one.scenario().model().id().equals(other.scenario().model().id())
                        && WorkCounter.of(one.scenario(), one.plan())
                                .equals(WorkCounter.of(other.scenario(), other.plan())));
    }

    /**
     * Fits, writes and suggests.
     *
     * @param target where the coefficients go
     * @param suggestions how many cells to suggest
     */
    CalibrationReport report(Optional<Path> target, int suggestions) {
        RunObservations observed = new RunObservations(calibrator.times());
        List<String> notes = new ArrayList<>();
        for (CheckedRun run : runs) {
            observed.add(run.run(), run.sharedPrefix());
            notes.addAll(run.notes());
        }
        notes.addAll(observed.notes());
        List<Observation> observations = observed.observations();
        Optional<Calibration> calibration =
                target.isPresent() ? Optional.of(calibrator.calibrate(observations)) : Optional.empty();
        if (target.isPresent() && calibration.isPresent()) {
            Coefficients found = calibration.get().coefficients();
            AtomicFile.write(target.get(), CoefficientsFile.text(file(found)));
            if (found.unthrottled()) {
                notes.add("the card computes faster than its listed tensor rate allows, as an unlocked one does; "
                        + "its full rate is used");
            }
        }
        List<Suggestion> next = suggested(observations, suggestions);
        if (next.isEmpty() && suggestions > 0) {
            notes.add("every cell of the matrix that fits has been measured; there is nothing to suggest");
        }
        return new CalibrationReport(fit, calibration, next, target.map(Path::toString), notes);
    }

    private EngineCoefficients file(Coefficients found) {
        EngineCoefficients.Scope scope = new EngineCoefficients.Scope(
                fit.scenario().accelerator().name(), fit.scenario().model().id());
        return EngineCoefficients.ofDeployment(found, defaults, scope, sources);
    }

    private List<Suggestion> suggested(List<Observation> observations, int count) {
        if (count == 0) {
            return List.of();
        }
        List<BenchmarkCell> measured =
                observations.stream().map(Observation::cell).toList();
        Set<String> known = measured.stream().map(BenchmarkCell::label).collect(Collectors.toSet());
        List<BenchmarkCell> candidates = candidates().stream()
                .filter(cell -> !known.contains(cell.label()))
                .toList();
        return candidates.isEmpty() ? List.of() : calibrator.suggest(measured, candidates, count);
    }

    /** The cells of the runs' own grids that fit, or of the usual one. */
    private List<BenchmarkCell> candidates() {
        boolean shared = runs.isEmpty() || runs.get(0).sharedPrefix();
        Capacity capacity = new Capacity(fit.plan(), shared, SkipRule.LLM_INFERENCE_BENCH);
        long output = runs.stream()
                .mapToLong(run -> run.run().settings().maxOutputTokens().orElse(OUTPUT_TOKENS))
                .findFirst()
                .orElse(OUTPUT_TOKENS);
        long outputTokens = Math.max(1, output);
        List<BenchmarkCell> cells = new ArrayList<>();
        for (long context : grid(RunSettings::contexts, CONTEXTS)) {
            for (long requests : grid(RunSettings::concurrencies, CONCURRENCIES)) {
                int concurrency = (int) Math.min(requests, 1 << 20);
                boolean fits = concurrency > 0
                        && capacity.judge(new Cell(context, concurrency, outputTokens))
                                        .verdict()
                                != Verdict.OVER;
                if (fits) {
                    cells.add(BenchmarkCell.decode(calibrator.times(), context, concurrency, outputTokens, shared));
                }
            }
        }
        for (long context : grid(RunSettings::prefillContexts, PREFILLS)) {
            if (context > 0 && context < fit.plan().limits().maxModelLen()) {
                cells.add(BenchmarkCell.prefill(calibrator.times(), context));
            }
        }
        return cells;
    }

    private Set<Long> grid(Function<RunSettings, List<Long>> axis, List<Long> usual) {
        Set<Long> values = new TreeSet<>();
        runs.forEach(run -> values.addAll(axis.apply(run.run().settings())));
        return values.size() < 2 ? new TreeSet<>(usual) : values;
    }
}
