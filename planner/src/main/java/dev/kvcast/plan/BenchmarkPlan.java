package dev.kvcast.plan;

import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.capacity.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The cells of a matrix worth measuring, cheap ones first: a mistake in the set-up shows within the first minute, and
 * the cells that may queue come last.
 *
 * @param steps contexts in the order they are run, each with its concurrencies
 * @param skipped cells that cannot run
 * @param seconds how long it takes, warm-up included
 */
public record BenchmarkPlan(List<Step> steps, List<CellCapacity> skipped, long seconds) {

    /** Time between cells: the streams start, settle and drain. */
    private static final long SETTLE_SECONDS = 8;

    /** Copies the lists. */
    public BenchmarkPlan {
        steps = List.copyOf(steps);
        skipped = List.copyOf(skipped);
    }

    /**
     * Cells of one context that run in one go.
     *
     * @param contextTokens their context
     * @param concurrencies requests at once, ascending
     * @param outputTokens most tokens each request generates
     * @param verdict {@code fits} or {@code tight}
     */
    public record Step(long contextTokens, List<Integer> concurrencies, long outputTokens, Verdict verdict) {
        /** Copies the list. */
        public Step {
            concurrencies = List.copyOf(concurrencies);
        }
    }

    /**
     * The plan of a matrix.
     *
     * @param secondsPerCell measuring time of one cell
     */
    public static BenchmarkPlan of(Matrix matrix, long secondsPerCell) {
        List<Step> steps = new ArrayList<>();
        addSteps(matrix, Verdict.FITS, steps);
        addSteps(matrix, Verdict.TIGHT, steps);
        List<CellCapacity> skipped = matrix.cells().stream()
                .map(Matrix.Cell::capacity)
                .filter(cell -> cell.verdict() == Verdict.OVER)
                .toList();
        long cells = (long) matrix.cells().size() - skipped.size();
        return new BenchmarkPlan(steps, skipped, cells * (secondsPerCell + SETTLE_SECONDS));
    }

    /** Cells that run, in all. */
    public long cells() {
        return steps.stream().mapToLong(step -> step.concurrencies().size()).sum();
    }

    private static void addSteps(Matrix matrix, Verdict verdict, List<Step> steps) {
        List<CellCapacity> cells = matrix.cells().stream()
                .map(Matrix.Cell::capacity)
                .filter(cell -> cell.verdict() == verdict)
                .sorted(Comparator.comparingLong(
                                (CellCapacity cell) -> cell.cell().contextTokens())
                        .thenComparingInt(cell -> cell.cell().concurrency()))
                .toList();
        int start = 0;
        for (int i = 1; i <= cells.size(); i++) {
            boolean ends = i == cells.size()
                    || cells.get(i).cell().contextTokens()
                            != cells.get(start).cell().contextTokens();
            if (ends) {
                List<CellCapacity> row = cells.subList(start, i);
                steps.add(new Step(
                        row.get(0).cell().contextTokens(),
                        row.stream().map(cell -> cell.cell().concurrency()).toList(),
                        row.get(0).cell().outputTokens(),
                        verdict));
                start = i;
            }
        }
    }
}
