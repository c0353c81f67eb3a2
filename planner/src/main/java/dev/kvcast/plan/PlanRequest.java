package dev.kvcast.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A question as it was asked, names not yet looked up.
 *
 * @param id the caller's own label, passed through
 * @param engine engine name
 * @param engineVersion engine version as written
 * @param model model name, checkpoint name or folder
 * @param quantization quantization that replaces the checkpoint's own, as people write it
 * @param gpu accelerators
 * @param arguments engine flags
 * @param environment engine environment switches
 * @param poolBytes KV-pool bytes per rank from a log
 */
public record PlanRequest(
        Optional<String> id,
        String engine,
        Optional<String> engineVersion,
        String model,
        Optional<String> quantization,
        Gpu gpu,
        List<String> arguments,
        Map<String, String> environment,
        OptionalLong poolBytes) {

    /** Copies the collections. */
    public PlanRequest {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /**
     * Accelerators as they were named.
     *
     * @param name a name, {@code xN} allowed at its end
     * @param count how many, where said apart from the name
     * @param memoryBytes total memory that replaces the catalogue's
     * @param bandwidthBytesPerSecond memory bandwidth that replaces the catalogue's
     * @param flops dense 16-bit rate that replaces the catalogue's
     */
    public record Gpu(
            String name,
            OptionalInt count,
            OptionalLong memoryBytes,
            OptionalDouble bandwidthBytesPerSecond,
            OptionalDouble flops) {

        /** A card by name alone. */
        public static Gpu named(String name) {
            return new Gpu(
                    name, OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty(), OptionalDouble.empty());
        }
    }
}
