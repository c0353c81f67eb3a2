package dev.kvcast.throughput;

import dev.kvcast.model.Component;

/**
 * Matrices of one rank that are multiplied alike.
 *
 * @param kind part of the model
 * @param path how they are multiplied
 * @param bytes stored bytes over all layers; of all routed experts
 * @param parameters weights over all layers; of all routed experts
 * @param activeShare share of the weights that one token uses: 1, or experts per token by experts
 */
public record MatrixGroup(Kind kind, ComputePath path, double bytes, double parameters, double activeShare) {

    /** Parts of a model whose matrices reach like shares of the peak. */
    public enum Kind {
        /** Projections around attention and recurrent states. */
        PROJECTIONS,
        /** Dense blocks and always-used experts. */
        DENSE,
        /** Routed experts. */
        EXPERTS,
        /** The vocabulary head. */
        HEAD;

        /** The part that a component's weights belong to; the head and what no step multiplies are not here. */
        static java.util.Optional<Kind> of(Component component) {
            return java.util.Optional.ofNullable(
                    switch (component) {
                        case ATTENTION, STATE_MIXER, OTHER -> PROJECTIONS;
                        case MLP, SHARED_EXPERTS -> DENSE;
                        case EXPERTS -> EXPERTS;
                        default -> null;
                    });
        }
    }

    /**
     * Share of the stored weights that a step reads. Routed experts: the expected share of distinct experts that {@code
     * draws} independent tokens choose, {@code 1 - (1 - k/E)^draws}; one token reads exactly its own.
     *
     * @param draws tokens that choose independently
     */
    double shareRead(double draws) {
        return kind == Kind.EXPERTS && activeShare < 1 ? 1 - Math.pow(1 - activeShare, draws) : 1;
    }
}
