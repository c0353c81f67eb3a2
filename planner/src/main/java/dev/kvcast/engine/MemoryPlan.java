package dev.kvcast.engine;

import java.util.List;

/**
 * How one rank's memory is spent at boot, in the engine's own terms.
 *
 * @param totalBytes memory the driver reports
 * @param requestedBytes the share the engine allows itself
 * @param terms everything that is not KV cache, in the order the engine subtracts it
 * @param kvPool what is left for the KV pool
 */
public record MemoryPlan(long totalBytes, long requestedBytes, List<MemoryTerm> terms, EstimatedBytes kvPool) {

    /** Copies the list. */
    public MemoryPlan {
        terms = List.copyOf(terms);
    }

    /** Sum of the best estimates of one kind. */
    public long bytes(MemoryTerm.Kind kind) {
        long sum = 0;
        for (MemoryTerm term : terms) {
            if (term.kind() == kind) {
                sum += term.bytes().value();
            }
        }
        return sum;
    }
}
