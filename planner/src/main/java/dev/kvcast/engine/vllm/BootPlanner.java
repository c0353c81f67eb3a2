package dev.kvcast.engine.vllm;

import dev.kvcast.engine.BootFailure;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.EstimatedBytes;
import dev.kvcast.engine.KvPool;
import dev.kvcast.engine.MemoryPlan;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import dev.kvcast.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Predicts one boot: the memory plan of the tightest rank, the pool it leaves, and what vLLM prints or why it stops
 * ({@code determine_available_memory} and {@code get_kv_cache_configs}).
 */
final class BootPlanner {

    private final Deployment deployment;
    private final MemoryCoefficients coefficients;
    private final Scenario scenario;
    private final VllmSettings settings;
    private final PipelineStages stages;
    private final KvLayout layout;

    BootPlanner(Deployment deployment, MemoryCoefficients coefficients) {
        this.deployment = deployment;
        this.coefficients = coefficients;
        this.scenario = deployment.scenario();
        this.settings = deployment.settings();
        ModelConfig model = scenario.model();
        this.stages = PipelineStages.of(
                model.layers().size(),
                settings.parallelism().pipeline(),
                deployment.options().environment().layerPartition());
        this.layout = LayoutBuilder.build(deployment, stages);
    }

    BootPlan plan() {
        int tightest = 0;
        MemoryPlan memory = stagePlan(0);
        for (int stage = 1; stage < stages.count(); stage++) {
            MemoryPlan other = stagePlan(stage);
            if (layout.blocks(other.kvPool().value(), stage)
                    < layout.blocks(memory.kvPool().value(), tightest)) {
                memory = other;
                tightest = stage;
            }
        }
        BootChecks checks = new BootChecks(layout, settings, tightest);
        EstimatedBytes pool = overridden(memory.kvPool(), tightest);
        long maxModelLen = checks.resolvedLength(pool.value());
        List<String> warnings = new ArrayList<>(deployment.warnings());
        if (settings.batch().lengthFromMemory() && maxModelLen > 0) {
            warnings.add("--max-model-len auto resolves to about " + maxModelLen);
        }
        Optional<BootFailure> failure = checks.failure(pool.value(), maxModelLen);
        Optional<BootFailure> risk = failure.isPresent()
                ? failure
                : checks.failure(pool.low(), Math.min(maxModelLen, checks.resolvedLength(pool.low())));
        return new BootPlan(
                "vllm",
                settings.rules().version().toString(),
                memory,
                kvPool(pool, tightest, Math.max(1, maxModelLen)),
                settings.limits(Math.max(1, maxModelLen)),
                KernelChoice.of(deployment),
                failure,
                risk,
                warnings);
    }

    private MemoryPlan stagePlan(int stage) {
        return new MemoryPlanner(deployment, coefficients).plan(stages, stage);
    }

    /** {@code --num-gpu-blocks-override} decides the pool whatever was profiled. */
    private EstimatedBytes overridden(EstimatedBytes profiled, int stage) {
        return deployment.options().memory().blocksOverride().isPresent()
                ? EstimatedBytes.exactly(Math.multiplyExact(
                        deployment.options().memory().blocksOverride().getAsLong(), layout.bytesPerBlock(stage)))
                : profiled;
    }

    private KvPool kvPool(EstimatedBytes bytes, int stage, long maxModelLen) {
        long blocks = layout.blocks(bytes.value(), stage);
        long low = layout.blocks(bytes.low(), stage);
        long high = layout.blocks(bytes.high(), stage);
        PrintedCapacity.Form form = settings.rules().printedForm();
        PrintedCapacity printed = PrintedCapacity.of(layout, blocks, maxModelLen, form);
        return new KvPool(
                blocks,
                low,
                high,
                1,
                layout.smallestBlockSize(),
                layout.bytesPerBlock(stage),
                layout.kvGroups(),
                maxModelLen,
                layout.chargedBlocks(maxModelLen),
                printed.tokens(),
                PrintedCapacity.of(layout, low, maxModelLen, form).tokens(),
                PrintedCapacity.of(layout, high, maxModelLen, form).tokens(),
                printed.concurrency());
    }
}
