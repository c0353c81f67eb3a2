package dev.kvcast.plan;

import dev.kvcast.capacity.CellCapacity;
import java.util.List;

/**
 * The context x concurrency table of one scenario.
 *
 * @param fit the boot it rests on
 * @param request what was asked
 * @param cells verdicts in the request's order
 * @param limits how far its contexts and concurrencies could go
 */
public record Matrix(Fit fit, MatrixRequest request, List<CellCapacity> cells, Limits limits) {

    /** Copies the list. */
    public Matrix {
        cells = List.copyOf(cells);
    }
}
