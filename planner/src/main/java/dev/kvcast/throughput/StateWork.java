package dev.kvcast.throughput;

import dev.kvcast.model.StateShape;

/**
 * What one recurrent layer costs over all ranks.
 *
 * @param bytes size of one sequence's state: 32-bit recurrence, 16-bit convolution window
 * @param operationsPerToken operations of its scan per prompt token
 * @param kernels kernels of one step
 */
record StateWork(double bytes, double operationsPerToken, int kernels) {

    /** The cost of a state. */
    static StateWork of(StateShape state) {
        double elements = state.recurrentElements(1);
        double bytes = Float.BYTES * elements + Short.BYTES * (double) state.convElements(1, 0);
        if (state instanceof StateShape.GatedDelta || state instanceof StateShape.KimiDelta) {
            // Decay, read, error, rank-one update: eight operations per element.
            return new StateWork(bytes, 8 * elements, 12);
        }
        if (state instanceof StateShape.ShortConv) {
            return new StateWork(bytes, 0, 6);
        }
        return new StateWork(bytes, 6 * elements, 10);
    }
}
