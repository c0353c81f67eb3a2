package dev.kvcast.plan;

import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.throughput.CellSpeed;
import dev.kvcast.throughput.PrefillSpeed;
import java.util.List;
import java.util.Optional;

/**
 * The context x concurrency table of one scenario.
 *
 * @param fit the boot it rests on
 * @param request what was asked
 * @param cells verdicts and speeds in the request's order
 * @param limits how far its contexts and concurrencies could go
 * @param prefill speeds of the request's prompt lengths, in its order
 */
public record Matrix(Fit fit, MatrixRequest request, List<Cell> cells, Limits limits, List<Prefill> prefill) {

    /** Copies the lists. */
    public Matrix {
        cells = List.copyOf(cells);
        prefill = List.copyOf(prefill);
    }

    /**
     * One cell.
     *
     * @param capacity whether it fits
     * @param speed how fast it is; empty where it does not fit, and for engines without coefficients
     */
    public record Cell(CellCapacity capacity, Optional<CellSpeed> speed) {}

    /**
     * One prompt length.
     *
     * @param contextTokens tokens of the prompt
     * @param speed how fast it is processed on an idle server; empty where it leaves no room for an output token
     */
    public record Prefill(long contextTokens, Optional<PrefillSpeed> speed) {}
}
