package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import dev.kvcast.model.ModelConfig;

/**
 * One boot as a fit sees it: what is known before any coefficient, from the same code that predicts. All sizes are those
 * of the rank that has least room.
 *
 * @param requestedBytes share of the device that vLLM asks for
 * @param weightBytes resident weights
 * @param profile forms of the profiling run
 * @param pinned whether flags set the pool, so that profiling decides nothing
 * @param layout KV-cache groups
 */
public record BootFeatures(
        long requestedBytes, long weightBytes, ProfileFeatures profile, boolean pinned, Printed layout) {

    /** How many tokens vLLM prints for a pool. */
    public interface Printed {
        /** Tokens printed for a pool of so many bytes a rank. */
        long tokens(long poolBytes);

        /** Blocks of that pool. */
        long blocks(long poolBytes);
    }

    /**
     * Reads a scenario.
     *
     * @throws dev.kvcast.model.InputException as {@link VllmEngine#plan} does
     */
    public static BootFeatures of(Scenario scenario) {
        Deployment deployment = VllmEngine.deployment(scenario);
        ModelConfig model = scenario.model();
        PipelineStages stages = PipelineStages.of(
                model.layers().size(),
                deployment.settings().parallelism().pipeline(),
                deployment.options().environment().layerPartition());
        int stage = stages.count() - 1;
        for (int other = 0; other < stages.count(); other++) {
            long bytes = scenario.cardOfStage(other, stages.count()).memoryBytes();
            stage = bytes < scenario.cardOfStage(stage, stages.count()).memoryBytes() ? other : stage;
        }
        RankForms forms = RankForms.of(deployment, stages, stage);
        KvLayout layout = LayoutBuilder.build(deployment, stages);
        boolean pinned = deployment.options().memory().kvCacheBytes().isPresent()
                || deployment.options().memory().blocksOverride().isPresent();
        return new BootFeatures(
                forms.requested(),
                forms.resident(),
                forms.features(),
                pinned,
                printed(deployment.settings(), layout, stage));
    }

    private static Printed printed(VllmSettings settings, KvLayout layout, int stage) {
        return new Printed() {
            @Override
            public long tokens(long poolBytes) {
                long length = settings.batch().maxModelLen();
                return PrintedCapacity.of(
                                layout,
                                blocks(poolBytes),
                                length,
                                settings.rules().printedForm())
                        .tokens();
            }

            @Override
            public long blocks(long poolBytes) {
                return layout.blocks(poolBytes, stage);
            }
        };
    }
}
