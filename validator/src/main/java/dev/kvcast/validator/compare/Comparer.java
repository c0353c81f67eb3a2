package dev.kvcast.validator.compare;

import dev.kvcast.capacity.Capacity;
import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.SkipRule;
import dev.kvcast.plan.Fit;
import dev.kvcast.throughput.CellSpeed;
import dev.kvcast.throughput.Forecast;
import dev.kvcast.throughput.PrefillSpeed;
import dev.kvcast.throughput.SpeedModel;
import dev.kvcast.validator.compare.ComparedCell.Pair;
import dev.kvcast.validator.fit.RunObservations;
import dev.kvcast.validator.results.MeasuredCell;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Predicts the cells of a run and puts them beside what was measured. */
public final class Comparer {

    private static final double MILLIS = 1000;

    private final MeasuredRun run;
    private final Fit fit;
    private final Optional<SpeedModel> speed;
    private final boolean sharedPrefix;
    private final Capacity capacity;

    /**
     * A comparison of one run.
     *
     * @param run what was measured
     * @param fit the planned deployment it was measured on
     * @param speed its predicted speeds; empty for engines without coefficients
     * @param sharedPrefix whether the requests of a cell share their prompt
     */
    public Comparer(MeasuredRun run, Fit fit, Optional<SpeedModel> speed, boolean sharedPrefix) {
        this.run = run;
        this.fit = fit;
        this.speed = speed;
        this.sharedPrefix = sharedPrefix;
        SkipRule rule = run.tool().startsWith(SkipRule.LLM_INFERENCE_BENCH.label())
                ? SkipRule.LLM_INFERENCE_BENCH
                : SkipRule.NONE;
        this.capacity = new Capacity(fit.plan(), sharedPrefix, rule);
    }

    /** The comparison. */
    public Comparison compare(List<String> notes) {
        List<ComparedCell> cells = new ArrayList<>();
        for (MeasuredCell cell : run.cells()) {
            cells.add(cell instanceof Decode decode ? compared(decode) : compared((Prefill) cell));
        }
        return new Comparison(run.source(), fit, cells, notes);
    }

    private ComparedCell compared(Decode cell) {
        long output = RunObservations.outputTokens(run, cell);
        int requests = (int) Math.max(1, Math.round(Math.min(cell.active(), cell.concurrency())));
        Optional<CellSpeed> predicted = cell.valid()
                ? speed.map(model -> model.decode(cell.contextTokens(), requests, output, sharedPrefix))
                : Optional.empty();
        boolean closedLoop = cell.window() == MeasuredCell.Window.DECODE;
        return new ComparedCell(
                cell,
                Optional.of(capacity.judge(new Cell(cell.contextTokens(), cell.concurrency(), output))),
                predicted.flatMap(found -> pair(cell.decodeTokensPerSecond(), found.tokensPerSecond())),
                // Requests that arrive one by one do not wait for each other as a burst does.
                predicted
                        .filter(found -> closedLoop)
                        .flatMap(found -> pair(
                                cell.speed().ttftMillis(),
                                found.firstTokenSeconds().times(MILLIS))));
    }

    private ComparedCell compared(Prefill cell) {
        Optional<PrefillSpeed> predicted = cell.valid() && cell.concurrency() == 1
                ? speed.map(model -> model.prefill(cell.contextTokens()))
                : Optional.empty();
        return new ComparedCell(
                cell,
                Optional.empty(),
                predicted.flatMap(found -> pair(cell.speed().tokensPerSecond(), found.tokensPerSecond())),
                predicted.flatMap(found ->
                        pair(cell.speed().ttftMillis(), found.coldSeconds().times(MILLIS))));
    }

    private static Optional<Pair> pair(OptionalDouble measured, Forecast predicted) {
        return measured.isPresent() && measured.getAsDouble() > 0
                ? Optional.of(new Pair(measured.getAsDouble(), predicted))
                : Optional.empty();
    }
}
