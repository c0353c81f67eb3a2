package dev.kvcast.simulate;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.MemoryTerm;
import dev.kvcast.engine.Scenario;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.WeightScheme;
import java.util.OptionalDouble;

/** Derives plain roofline clocks from models and cards. */
public final class Rooflines {

    private Rooflines() {}

    /**
     * The clock of a planned boot, per rank.
     *
     * @throws InputException for a card whose compute rate is not known
     */
    public static RooflineClock of(Scenario scenario, BootPlan plan) {
        ModelConfig model = scenario.model();
        Accelerator card = scenario.accelerator();
        double ranks = (double) plan.limits().parallelism().tensor()
                * plan.limits().parallelism().pipeline();
        double parameters = Math.max(1.0, (double) model.parameters());
        double bytes = plan.memory().bytes(MemoryTerm.Kind.WEIGHTS);
        double experts = model.parameters(Component.EXPERTS);
        // A lookup reads one row of the embedding; a tied head reads all of it.
        double lookedUp = model.tiedEmbeddings() ? 0 : model.parameters(Component.EMBEDDING);
        double share = expertShare(model);
        double active = parameters - lookedUp - experts * (1 - share);
        return new RooflineClock(
                bytes * (parameters - lookedUp - experts) / parameters,
                bytes * experts / parameters,
                share,
                2 * active / ranks,
                operationsPerPair(model) / ranks,
                plan.pool().bytesPerToken(),
                card.bandwidthBytesPerSecond() * RooflineClock.MEMORY_EFFICIENCY,
                rate(model, card) * RooflineClock.COMPUTE_EFFICIENCY,
                RooflineClock.OVERHEAD_SECONDS);
    }

    private static double expertShare(ModelConfig model) {
        for (DecoderLayer layer : model.layers()) {
            if (layer.feedForward() instanceof FeedForward.Experts experts) {
                return (double) experts.expertsPerToken() / experts.experts();
            }
        }
        return 1;
    }

    /** Scores and weighted values: two operations each per element and head, over the layers that see everything. */
    private static double operationsPerPair(ModelConfig model) {
        double operations = 0;
        for (DecoderLayer layer : model.layers()) {
            for (Mixer mixer : layer.mixers()) {
                if (mixer instanceof Mixer.Full full) {
                    AttentionShape shape = full.shape();
                    operations += 2.0 * shape.queryHeads() * (shape.headDim() + shape.valueDim());
                } else if (mixer instanceof Mixer.Latent latent) {
                    operations += 2.0 * latent.queryHeads() * (latent.nopeDim() + latent.ropeDim() + latent.valueDim());
                }
            }
        }
        return operations;
    }

    private static double rate(ModelConfig model, Accelerator card) {
        boolean eightBit = model.quantization().scheme() instanceof WeightScheme.EightBit scheme && scheme.floating();
        OptionalDouble sixteen = card.compute().bf16().isPresent()
                ? card.compute().bf16()
                : card.compute().fp16();
        OptionalDouble rate =
                eightBit && card.compute().fp8().isPresent() ? card.compute().fp8() : sixteen;
        return rate.orElseThrow(() -> InputException.unsupported(
                "no compute rate is known for " + card.name() + "; give one with --gpu-flops"));
    }
}
