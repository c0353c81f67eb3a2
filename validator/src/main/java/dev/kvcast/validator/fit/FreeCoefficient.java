package dev.kvcast.validator.fit;

import dev.kvcast.throughput.Coefficient;
import dev.kvcast.throughput.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A coefficient that a calibration may move.
 *
 * @param coefficient which
 * @param deviation how far one deployment may lie from its class of devices, on the fitting scale
 */
record FreeCoefficient(Coefficient coefficient, double deviation) {

    private static final List<FreeCoefficient> DECODE = List.of(
            new FreeCoefficient(Coefficient.WEIGHT_READ, 0.35),
            new FreeCoefficient(Coefficient.CACHE_READ, 1.0),
            new FreeCoefficient(Coefficient.KERNEL_SECONDS, 0.35),
            new FreeCoefficient(Coefficient.SEQUENCE_SECONDS, 0.7),
            new FreeCoefficient(Coefficient.SHARED_READ, 0.8));

    private static final List<FreeCoefficient> PREFILL = List.of(
            new FreeCoefficient(Coefficient.MATRIX_RATE, 0.7),
            new FreeCoefficient(Coefficient.ATTENTION_RATE, 0.7),
            new FreeCoefficient(Coefficient.RATE_STATE, 0.4));

    /** Coefficients that only prompts feel: their uncertainty stays when no prefill was measured. */
    static final Set<Coefficient> PREFILL_ONLY = Set.of(
            Coefficient.MATRIX_RATE,
            Coefficient.ATTENTION_RATE,
            Coefficient.RATE_STATE,
            Coefficient.RATE_WIDE_HEADS,
            Coefficient.RATE_EXPERTS,
            Coefficient.RATE_FP8,
            Coefficient.RATE_WEIGHT8,
            Coefficient.RATE_WEIGHT4,
            Coefficient.RATE_FP4,
            Coefficient.RATE_INT8,
            Coefficient.RATE_GGUF,
            Coefficient.RATE_FLOAT4,
            Coefficient.LAUNCH_SECONDS);

    /** What the measured phases can tell about a deployment. */
    static List<FreeCoefficient> of(Set<BenchmarkCell.Phase> phases, boolean severalRanks, Link.Kind link) {
        List<FreeCoefficient> free = new ArrayList<>();
        if (phases.contains(BenchmarkCell.Phase.DECODE)) {
            free.addAll(DECODE);
        }
        if (phases.contains(BenchmarkCell.Phase.PREFILL)) {
            free.addAll(PREFILL);
        }
        if (severalRanks) {
            free.add(new FreeCoefficient(link.latency(), 0.35));
            free.add(new FreeCoefficient(link.efficiency(), 0.6));
        }
        return free;
    }
}
