package dev.kvcast.plan;

import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.SkipRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cells to judge.
 *
 * @param cells decode cells in the order they are reported
 * @param prefillContexts prompt lengths whose prefill is predicted
 * @param sharedPrefix whether the requests of a cell share their context
 * @param skipRule cells that the benchmark itself refuses
 */
public record MatrixRequest(List<Cell> cells, List<Long> prefillContexts, boolean sharedPrefix, SkipRule skipRule) {

    /** Copies the lists. */
    public MatrixRequest {
        cells = List.copyOf(cells);
        prefillContexts = List.copyOf(prefillContexts);
    }

    /** Every context at every concurrency, contexts outermost. */
    public static MatrixRequest grid(
            List<Long> contexts,
            List<Integer> concurrencies,
            long outputTokens,
            List<Long> prefillContexts,
            boolean sharedPrefix,
            SkipRule skipRule) {
        List<Cell> cells = new ArrayList<>(contexts.size() * concurrencies.size());
        for (long context : contexts) {
            for (int concurrency : concurrencies) {
                cells.add(new Cell(context, concurrency, outputTokens));
            }
        }
        return new MatrixRequest(cells, prefillContexts, sharedPrefix, skipRule);
    }
}
