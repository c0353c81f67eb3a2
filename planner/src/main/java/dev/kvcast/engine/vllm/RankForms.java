package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Placement;
import dev.kvcast.model.WeightBytes;

/**
 * What one rank is known to hold and to run before any coefficient is applied.
 *
 * @param total memory of its card
 * @param requested share of it that vLLM asks for
 * @param weights weights of the model by component
 * @param offloaded bytes kept in the host's memory
 * @param draft weights of a separate draft model
 * @param resident all weights that stay, rotary tables included
 * @param features forms of the profiling run
 */
record RankForms(
        long total,
        long requested,
        WeightBytes weights,
        long offloaded,
        long draft,
        long resident,
        ProfileFeatures features) {

    private static final double GIB = 1L << 30;
    private static final int HOPPER = 90;
    private static final int BLACKWELL = 100;

    /** The forms of a rank in one pipeline stage. */
    static RankForms of(Deployment deployment, PipelineStages stages, int stage) {
        ModelConfig model = deployment.scenario().model();
        VllmSettings settings = deployment.settings();
        Accelerator card = deployment.scenario().cardOfStage(stage, stages.count());
        boolean last = stage == stages.count() - 1;
        Placement placement = placement(deployment, stages, stage).withExpertPadding(padding(card));
        WeightBytes weights = WeightBytes.of(model, placement);
        Drafter drafter = Drafters.of(model, deployment.options());
        long draft = last ? draftBytes(drafter, model, settings, placement) : 0;
        long offloaded = (long) (deployment.options().memory().cpuOffloadGib() * GIB);
        return new RankForms(
                card.memoryBytes(),
                (long) Math.ceil(card.memoryBytes() * settings.utilization()),
                weights,
                offloaded,
                draft,
                Math.max(0, weights.total() - offloaded) + model.rotaryCacheBytes() + draft,
                ProfileRun.of(model, settings, card, last, drafter));
    }

    /** Weights of a separate draft model on one rank. */
    private static long draftBytes(Drafter drafter, ModelConfig model, VllmSettings settings, Placement placement) {
        double own = drafter.weightsGib() * GIB;
        long bytes = (long) (drafter.divided() ? own / settings.parallelism().tensor() : own);
        if (drafter.copies() > 0) {
            int layers = model.layers().size();
            Placement lastLayer =
                    placement.stage(layers - 1, layers, false, false).withFrontEnd(false);
            bytes += drafter.copies() * WeightBytes.of(model, lastLayer).total();
        }
        return bytes;
    }

    private static Placement.ExpertPadding padding(Accelerator card) {
        if (!card.vendor().equals("NVIDIA") || card.computeCapability() >= BLACKWELL) {
            return Placement.ExpertPadding.NONE;
        }
        return card.computeCapability() >= HOPPER ? Placement.ExpertPadding.HOPPER : Placement.ExpertPadding.MARLIN;
    }

    private static Placement placement(Deployment deployment, PipelineStages stages, int stage) {
        VllmSettings settings = deployment.settings();
        int experts = settings.parallelism().expertParallel()
                ? settings.parallelism().tensor() * settings.parallelism().data()
                : 1;
        return Placement.tensor(settings.parallelism().tensor())
                .withExpertRanks(experts)
                .withFrontEnd(settings.towerLoaded())
                .withDraft(LayoutBuilder.draftLoaded(deployment))
                .stage(stages.starts().get(stage), stages.end(stage), stage == 0, stage == stages.count() - 1);
    }
}
