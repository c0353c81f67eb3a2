package dev.kvcast.validator.compare;

import dev.kvcast.plan.Fit;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A run beside its prediction.
 *
 * @param source where the run comes from
 * @param fit the predicted boot
 * @param cells the run's cells, in its order
 * @param notes what was assumed, one line each
 */
public record Comparison(String source, Fit fit, List<ComparedCell> cells, List<String> notes) {

    /** Copies the lists. */
    public Comparison {
        cells = List.copyOf(cells);
        notes = List.copyOf(notes);
    }

    /** Errors of the decode rates that share a context or a concurrency. */
    public record Group(long key, Errors errors) {}

    /** Errors of the decode rates. */
    public Errors decode() {
        return Errors.of(pairs(cell -> cell.measured() instanceof Decode ? cell.rate() : Optional.empty()));
    }

    /** Errors of the prefill rates. */
    public Errors prefill() {
        return Errors.of(pairs(cell -> cell.measured() instanceof Prefill ? cell.rate() : Optional.empty()));
    }

    /** Errors of the times to the first token of decode cells. */
    public Errors ttft() {
        return Errors.of(pairs(cell -> cell.measured() instanceof Decode ? cell.ttft() : Optional.empty()));
    }

    /** Decode rates by context: a trend tells of attention and cache reads. */
    public List<Group> byContext() {
        return grouped(cell -> cell.measured().contextTokens());
    }

    /** Decode rates by concurrency: a trend tells of weight reads and costs per request. */
    public List<Group> byConcurrency() {
        return grouped(cell -> cell.measured().concurrency());
    }

    /** The rates that are furthest off, worst first. */
    public List<ComparedCell> worst(int most) {
        return cells.stream()
                .filter(cell -> cell.rate().isPresent())
                .sorted(Comparator.comparingDouble(
                        cell -> -Math.abs(cell.rate().orElseThrow().error())))
                .limit(most)
                .toList();
    }

    /** Cells whose verdict did not come true. */
    public List<ComparedCell> wrongVerdicts() {
        return cells.stream().filter(cell -> !cell.verdictAgrees().orElse(true)).toList();
    }

    /** Cells whose verdict was put to the test. */
    public long judged() {
        return cells.stream().filter(cell -> cell.verdictAgrees().isPresent()).count();
    }

    /**
     * Whether decode and prefill rates are within a mean absolute error, and every verdict came true.
     *
     * @param share tolerated error, 0.05 for 5%
     */
    public boolean within(double share) {
        return decode().mean() <= share
                && prefill().mean() <= share
                && wrongVerdicts().isEmpty();
    }

    private List<ComparedCell.Pair> pairs(Function<ComparedCell, Optional<ComparedCell.Pair>> choice) {
        return cells.stream().map(choice).flatMap(Optional::stream).toList();
    }

    private List<Group> grouped(ToLongFunction<ComparedCell> key) {
        Map<Long, List<ComparedCell.Pair>> groups = new TreeMap<>();
        for (ComparedCell cell : cells) {
            if (cell.measured() instanceof Decode && cell.rate().isPresent()) {
                groups.computeIfAbsent(key.applyAsLong(cell), missing -> new ArrayList<>())
                        .add(cell.rate().get());
            }
        }
        return groups.entrySet().stream()
                .map(group -> new Group(group.getKey(), Errors.of(group.getValue())))
                .toList();
    }
}
