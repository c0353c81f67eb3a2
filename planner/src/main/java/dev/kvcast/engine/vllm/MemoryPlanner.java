package dev.kvcast.engine.vllm;

import dev.kvcast.engine.EstimatedBytes;
import dev.kvcast.engine.MemoryPlan;
import dev.kvcast.engine.MemoryTerm;
import dev.kvcast.engine.MemoryTerm.Kind;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import dev.kvcast.model.WeightBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Splits one rank's memory the way vLLM's profiling does: requested = weights + activation + graphs + other + pool. */
final class MemoryPlanner {

    private static final double GIB = 1L << 30;

    private final Deployment deployment;
    private final MemoryCoefficients coefficients;
    private final Scenario scenario;
    private final VllmSettings settings;

    MemoryPlanner(Deployment deployment, MemoryCoefficients coefficients) {
        this.deployment = deployment;
        this.coefficients = coefficients;
        this.scenario = deployment.scenario();
        this.settings = deployment.settings();
    }

    /** The plan of a rank in one pipeline stage. */
    MemoryPlan plan(PipelineStages stages, int stage) {
        RankForms rank = RankForms.of(deployment, stages, stage);
        NonKvMemory rest = NonKvMemory.of(rank.features(), coefficients, (double) rank.resident());
        List<MemoryTerm> terms = terms(rank.weights(), rank.offloaded(), rest);
        if (rank.draft() > 0) {
            terms.add(new MemoryTerm(
                    Kind.WEIGHTS, "draft model", EstimatedBytes.exactly(rank.draft()), "its published layers"));
        }
        return new MemoryPlan(rank.total(), rank.requested(), terms, pool(rank.requested(), rank.resident(), rest));
    }

    private EstimatedBytes pool(long requested, long resident, NonKvMemory rest) {
        if (scenario.pinnedPoolBytes().isPresent()) {
            return EstimatedBytes.exactly(scenario.pinnedPoolBytes().getAsLong());
        }
        if (deployment.options().memory().kvCacheBytes().isPresent()) {
            return EstimatedBytes.exactly(
                    deployment.options().memory().kvCacheBytes().getAsLong());
        }
        double frontEnd = deployment.options().memory().multimodalGib() * GIB;
        long taken = Math.round(rest.activation() + rest.graphs() + rest.other() + frontEnd);
        long value = requested - resident - taken;
        long margin = (long) (rest.deviation() * coefficients.spread().factor());
        return new EstimatedBytes(value, value - margin, Math.min(requested, value + margin));
    }

    private List<MemoryTerm> terms(WeightBytes weights, long offloaded, NonKvMemory rest) {
        MemoryCoefficients.Spread spread = coefficients.spread();
        List<MemoryTerm> terms = new ArrayList<>();
        weights.byComponent().entrySet().stream()
                .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
                .forEach(entry -> terms.add(new MemoryTerm(
                        Kind.WEIGHTS,
                        entry.getKey().label(),
                        EstimatedBytes.exactly(entry.getValue()),
                        "sum of its tensors on one rank")));
        if (offloaded > 0) {
            long freed = -Math.min(offloaded, weights.total());
            terms.add(new MemoryTerm(Kind.WEIGHTS, "offloaded", EstimatedBytes.exactly(freed), "--cpu-offload-gb"));
        }
        terms.add(new MemoryTerm(
                Kind.WEIGHTS,
                "rotary tables",
                EstimatedBytes.exactly(scenario.model().rotaryCacheBytes()),
                "positions x rotary width x 2 bytes"));
        terms.add(new MemoryTerm(
                Kind.ACTIVATION,
                "activation peak",
                around(rest.activation(), spread.activationShare() * spread.factor()),
                "largest of one step's layer, its sampler and the tower's pass: "
                        + settings.batch().maxBatchedTokens() + " tokens, "
                        + settings.batch().maxSequences() + " rows of "
                        + scenario.model().vocabularySize()
                        + " logits"));
        terms.add(new MemoryTerm(
                Kind.CUDA_GRAPH,
                "CUDA graphs",
                around(rest.graphs(), spread.graphShare() * spread.factor()),
                settings.graphs().subtracted()
                        ? settings.graphs().sizes().size() + " captured sizes"
                        : "not subtracted by this release and mode"));
        terms.add(new MemoryTerm(
                Kind.OTHER,
                "other",
                around(rest.other(), 0.5),
                "allocator, communication and workspace buffers, fitted on public boots"));
        return terms;
    }

    private static EstimatedBytes around(double value, double share) {
        double margin = Math.min(value, value * share);
        return new EstimatedBytes((long) value, (long) (value - margin), (long) (value + margin));
    }

    /** The largest pool share in GiB, for messages. */
    static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.2f GiB", bytes / GIB);
    }
}
