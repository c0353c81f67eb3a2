package dev.kvcast.engine;

import java.util.List;
import java.util.Optional;

/**
 * What an engine is predicted to do at boot.
 *
 * @param engine engine name
 * @param version version whose rules were applied
 * @param memory memory of the tightest rank
 * @param pool the KV pool; empty blocks when the boot fails
 * @param limits resolved settings
 * @param kernels how steps are run
 * @param failure the check that stops the boot at the best estimate, if any
 * @param risk the check that stops it at the low end of the pool's interval, if any
 * @param warnings things the user should know
 */
public record BootPlan(
        String engine,
        String version,
        MemoryPlan memory,
        KvPool pool,
        ServingLimits limits,
        Kernels kernels,
        Optional<BootFailure> failure,
        Optional<BootFailure> risk,
        List<String> warnings) {

    /** Copies the list. */
    public BootPlan {
        warnings = List.copyOf(warnings);
    }
}
