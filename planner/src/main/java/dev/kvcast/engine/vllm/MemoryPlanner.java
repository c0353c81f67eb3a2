package dev.kvcast.engine.vllm;

import dev.kvcast.engine.EstimatedBytes;
import dev.kvcast.engine.MemoryPlan;
import dev.kvcast.engine.MemoryTerm;
import dev.kvcast.engine.MemoryTerm.Kind;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.Placement;
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
        Accelerator card = scenario.cardOfStage(stage, stages.count());
        long total = card.memoryBytes();
        long requested = (long) Math.ceil(total * settings.utilization());
        WeightBytes weights =
                WeightBytes.of(scenario.model(), placement(stages, stage).withExpertPadding(padding(card)));
        long draft = stage == stages.count() - 1 ? draftBytes(stages, stage) : 0;
        long offloaded = (long) (deployment.options().memory().cpuOffloadGib() * GIB);
        long resident =
                Math.max(0, weights.total() - offloaded) + scenario.model().rotaryCacheBytes() + draft;
        boolean last = stage == stages.count() - 1;
        Drafter drafter = Drafters.of(scenario.model(), deployment.options());
        ProfileFeatures features = ProfileRun.of(scenario.model(), settings, card, last, drafter);
        NonKvMemory rest = NonKvMemory.of(features, coefficients, (double) resident);
        List<MemoryTerm> terms = terms(weights, offloaded, rest);
        if (draft > 0) {
            terms.add(new MemoryTerm(Kind.WEIGHTS, "draft model", EstimatedBytes.exactly(draft), "drafters.csv"));
        }
        return new MemoryPlan(total, requested, terms, pool(requested, resident, rest));
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

    /** Weights of a separate draft model on one rank. */
    private long draftBytes(PipelineStages stages, int stage) {
        Drafter drafter = Drafters.of(scenario.model(), deployment.options());
        double own = drafter.weightsGib() * GIB;
        long bytes = (long) (drafter.divided() ? own / settings.parallelism().tensor() : own);
        if (drafter.copies() > 0) {
            int layers = scenario.model().layers().size();
            Placement last = placement(stages, stage).stage(layers - 1, layers, false, false);
            bytes += drafter.copies()
                    * WeightBytes.of(scenario.model(), last.withFrontEnd(false)).total();
        }
        return bytes;
    }

    private static Placement.ExpertPadding padding(Accelerator card) {
        if (!card.vendor().equals("NVIDIA") || card.computeCapability() >= 100) {
            return Placement.ExpertPadding.NONE;
        }
        return card.computeCapability() >= 90 ? Placement.ExpertPadding.HOPPER : Placement.ExpertPadding.MARLIN;
    }

    private Placement placement(PipelineStages stages, int stage) {
        int experts = settings.parallelism().expertParallel()
                ? settings.parallelism().tensor() * settings.parallelism().data()
                : 1;
        return Placement.tensor(settings.parallelism().tensor())
                .withExpertRanks(experts)
                .withFrontEnd(settings.towerLoaded())
                .withDraft(LayoutBuilder.draftLoaded(deployment))
                .stage(stages.starts().get(stage), stages.end(stage), stage == 0, stage == stages.count() - 1);
    }

    /** The largest pool share in GiB, for messages. */
    static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.2f GiB", bytes / GIB);
    }
}
