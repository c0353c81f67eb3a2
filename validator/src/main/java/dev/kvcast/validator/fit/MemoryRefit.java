package dev.kvcast.validator.fit;

import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.engine.vllm.ProfileFeatures.Platform;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.Planner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Fits vLLM's non-KV memory to the boots in {@code data/startups} and says how far off the result is. */
public final class MemoryRefit {

    private static final double LARGE = 10;

    private final MemoryFit fit;
    private final BootNotes notes;
    private final List<FitRow> judged = new ArrayList<>();
    private final List<FitRow> more = new ArrayList<>();
    private final Map<String, String> refused = new LinkedHashMap<>();

    private MemoryRefit(MemoryCoefficients start, BootNotes notes) {
        this.fit = new MemoryFit(start);
        this.notes = notes;
    }

    /**
     * The fitted coefficients with their report.
     *
     * @param coefficients fitted factors beside those that were kept
     * @param rows ids of the boots that were fitted
     * @param errors errors by kind of test
     * @param report lines for people
     */
    public record Result(
            MemoryCoefficients coefficients, List<String> rows, Map<String, Object> errors, List<String> report) {
        /** Copies the collections. */
        public Result {
            rows = List.copyOf(rows);
            errors = Map.copyOf(errors);
            report = List.copyOf(report);
        }
    }

    /**
     * Fits.
     *
     * @param folder {@code data/startups}
     * @param start coefficients whose fixed factors are kept
     */
    public static Result run(Path folder, MemoryCoefficients start) {
        MemoryRefit refit = new MemoryRefit(start, BootNotes.read(folder.resolve("notes.csv")));
        Planner planner = Planners.of(start);
        refit.load(folder.resolve("vllm-boots.jsonl"), planner, refit.judged);
        refit.load(folder.resolve("vllm-boots-more.jsonl"), planner, refit.more);
        return refit.result();
    }

    /** Errors of given coefficients on the corpus, nothing fitted. */
    static FitErrors judge(Path folder, MemoryCoefficients coefficients) {
        MemoryRefit refit = new MemoryRefit(coefficients, BootNotes.read(folder.resolve("notes.csv")));
        refit.load(folder.resolve("vllm-boots.jsonl"), Planners.of(coefficients), refit.judged);
        return errors(refit.judged, row -> coefficients);
    }

    private void load(Path file, Planner planner, List<FitRow> into) {
        for (Boot boot : BootReader.read(file)) {
            if (!boot.firstGeneration() || !boot.utilizationStated() || !boot.measured()) {
                continue;
            }
            try {
                FitRow row = FitRow.of(boot, planner.scenario(boot.request()));
                if (!row.features().pinned()) {
                    into.add(row);
                }
            } catch (InputException e) {
                refused.put(boot.id(), e.getMessage());
            }
        }
    }

    private Result result() {
        List<FitRow> usable = new ArrayList<>(judged);
        usable.removeIf(row -> unfit(row) || !Double.isFinite(row.nonKvGib()));
        usable.addAll(more.stream().filter(this::joins).toList());
        MemoryCoefficients fitted = fit.fit(usable);
        FitErrors inSample = errors(judged, row -> fitted);
        FitErrors explained = errors(judged.stream().filter(row -> !noted(row)).toList(), row -> fitted);
        FitErrors models = leavingOut(usable, FitRow::modelKey);
        FitErrors cards = leavingOut(usable, FitRow::card);
        List<String> report = new ArrayList<>();
        report.add("fitted on " + usable.size() + " boots; judged on " + judged.size() + ", " + refused.size()
                + " more are refused");
        Map<String, Object> errors = new LinkedHashMap<>();
        Map<String, FitErrors> kinds = new LinkedHashMap<>();
        kinds.put("in sample", inSample);
        kinds.put("in sample, rows with notes left out", explained);
        kinds.put("leave one model out", models);
        kinds.put("leave one card out", cards);
        kinds.forEach((label, found) -> {
            report.add(found.line(label));
            errors.put(
                    label,
                    Map.of(
                            "boots",
                            found.rows().size(),
                            "median_percent",
                            rounded(found.median()),
                            "p90_percent",
                            rounded(found.p90()),
                            "coverage_percent",
                            rounded(found.coverage())));
        });
        addRows(inSample, report);
        List<String> ids = usable.stream().map(row -> row.boot().id()).toList();
        return new Result(fitted, ids, errors, report);
    }

    private void addRows(FitErrors inSample, List<String> report) {
        report.add("boots more than 10% off:");
        for (FitErrors.Miss error : inSample.beyond(LARGE)) {
            report.add(String.format(
                    Locale.ROOT,
                    "%+9.1f%%  %s: %s",
                    error.percent(),
                    error.id(),
                    notes.reason(BootNotes.Kind.ZERO_SHOT, error.id()).orElse("NOT EXPLAINED")));
        }
        report.add("boots that are refused:");
        refused.forEach((id, message) -> report.add("  " + id + ": " + message));
    }

    /** Further boots join where nothing about them is a guess: NVIDIA cards of their own memory, weights known. */
    private boolean joins(FitRow row) {
        var traits = row.features().profile().traits();
        boolean weights = row.boot().weightsGib().isPresent()
                || traits.weights() == dev.kvcast.engine.vllm.ProfileFeatures.Traits.Weights.KNOWN;
        return !unfit(row)
                && Double.isFinite(row.nonKvGib())
                && traits.platform() == Platform.CUDA
                && !traits.unified()
                && row.features().profile().hyperLayer() == 0
                && weights;
    }

    private boolean unfit(FitRow row) {
        return notes.reason(BootNotes.Kind.UNFIT, row.boot().id()).isPresent();
    }

    private boolean noted(FitRow row) {
        return notes.reason(BootNotes.Kind.ZERO_SHOT, row.boot().id()).isPresent();
    }

    private static FitErrors errors(List<FitRow> rows, Function<FitRow, MemoryCoefficients> coefficients) {
        return new FitErrors(rows.stream()
                .filter(row -> Double.isFinite(row.availableBytes()))
                .map(row -> FitErrors.of(row, coefficients.apply(row)))
                .toList());
    }

    private FitErrors leavingOut(List<FitRow> usable, Function<FitRow, String> key) {
        Map<String, MemoryCoefficients> without = new TreeMap<>();
        for (String left : judged.stream().map(key).collect(Collectors.toCollection(TreeSet::new))) {
            without.put(
                    left,
                    fit.fit(usable.stream()
                            .filter(row -> !key.apply(row).equals(left))
                            .toList()));
        }
        return errors(judged, row -> Objects.requireNonNull(without.get(key.apply(row))));
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
