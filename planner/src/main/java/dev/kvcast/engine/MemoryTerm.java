package dev.kvcast.engine;

/**
 * One named share of a rank's memory.
 *
 * @param kind what it is
 * @param label short name for people
 * @param bytes how much
 * @param formula how it was computed, with its numbers, for {@code --why}
 */
public record MemoryTerm(Kind kind, String label, EstimatedBytes bytes, String formula) {

    /** The contract's groups of memory. */
    public enum Kind {
        WEIGHTS,
        ACTIVATION,
        CUDA_GRAPH,
        OTHER
    }
}
