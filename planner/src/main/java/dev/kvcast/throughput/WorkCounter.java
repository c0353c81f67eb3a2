package dev.kvcast.throughput;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Kernels;
import dev.kvcast.engine.Parallelism;
import dev.kvcast.engine.Scenario;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Weight;
import java.util.HashSet;
import java.util.Set;

/**
 * Counts what the steps of one deployment move and compute. Pipeline stages run one after another for each token, so
 * their work adds up as if one rank held all layers.
 */
public final class WorkCounter {

    private static final double HALF = 2;

    /** Kernels outside the layers: embedding, last norm, head, sampler. */
    private static final int TOP_KERNELS = 12;

    private static final int DENSE_KERNELS = 4;
    private static final int EXPERT_KERNELS = 9;

    private final ModelConfig model;
    private final Parallelism parallelism;
    private final double ranks;

    private double kernels = TOP_KERNELS;
    private double collectives;
    private double activationElements;
    private double stateBytes;
    private double stateOperations;

    private WorkCounter(ModelConfig model, Parallelism parallelism) {
        this.model = model;
        this.parallelism = parallelism;
        this.ranks = parallelism.tensor();
    }

    /** The work of a planned deployment. */
    public static DeploymentWork of(Scenario scenario, BootPlan plan) {
        return new WorkCounter(scenario.model(), plan.limits().parallelism()).count(scenario, plan);
    }

    private DeploymentWork count(Scenario scenario, BootPlan plan) {
        Kernels chosen = plan.kernels();
        for (DecoderLayer layer : model.layers()) {
            layer.mixers().forEach(this::addMixer);
            addExperts(layer.feedForward());
        }
        addDense();
        return new DeploymentWork(
                MatrixCounter.count(model, scenario.accelerator(), chosen, parallelism.tensor()),
                AttentionCounter.count(model, chosen, parallelism),
                stateBytes,
                stateOperations,
                HALF * activationElements,
                kernels,
                model.hiddenSize(),
                exchange(Link.of(scenario.accelerator())),
                scenario.accelerator(),
                chosen.graphs());
    }

    private void addMixer(Mixer mixer) {
        if (mixer instanceof Mixer.EncoderOnly) {
            return;
        }
        if (mixer instanceof Mixer.Recurrent recurrent) {
            StateWork work = StateWork.of(recurrent.state());
            kernels += work.kernels();
            stateBytes += 2 * work.bytes() / ranks;
            stateOperations += work.operationsPerToken() / ranks;
        } else {
            boolean latent = mixer instanceof Mixer.Latent;
            kernels += latent ? AttentionCounter.LATENT_KERNELS : AttentionCounter.KERNELS;
            // Partial results of ranks that share a sequence's cache are gathered and merged.
            collectives += parallelism.decodeContext() > 1 ? 2 : 0;
        }
        // Norms, rotary positions, residuals and projections each write and read about the hidden width.
        activationElements += 6.0 * model.hiddenSize();
        collectives += ranks > 1 ? 1 : 0;
    }

    private void addExperts(FeedForward feedForward) {
        boolean present = !(feedForward instanceof FeedForward.None);
        collectives += present && ranks > 1 ? 1 : 0;
        if (feedForward instanceof FeedForward.Experts experts) {
            kernels += EXPERT_KERNELS;
            activationElements += 2.0 * model.hiddenSize()
                    + experts.expertsPerToken() * (model.hiddenSize() + 3.0 * experts.intermediate() / ranks);
        }
    }

    /** Dense blocks, found by their last matrix: some families keep one beside the experts of a layer. */
    private void addDense() {
        Set<Integer> seen = new HashSet<>();
        for (Weight weight : model.weights()) {
            boolean last = weight.component() == dev.kvcast.model.Component.MLP && weight.split() == Weight.Split.ROW;
            if (!last || !weight.linear()) {
                continue;
            }
            for (int layer : weight.layers().indices()) {
                if (seen.add(layer)) {
                    kernels += DENSE_KERNELS;
                    activationElements += 2.0 * model.hiddenSize() + 3.0 * weight.columns() / ranks;
                }
            }
        }
    }

    /** An all-reduce sends {@code 2 (t - 1) / t} of its bytes over each link; a hop between stages sends them once. */
    private DeploymentWork.Exchange exchange(Link link) {
        double rowBytes = HALF * model.hiddenSize();
        double reductions = ranks > 1 ? reductions() : 0;
        double hops = parallelism.pipeline() - 1.0;
        double bytes = reductions * rowBytes * 2 * (ranks - 1) / ranks + hops * rowBytes;
        return new DeploymentWork.Exchange(parallelism.tensor(), collectives + hops, bytes, link);
    }

    private double reductions() {
        double sum = 0;
        for (DecoderLayer layer : model.layers()) {
            sum += layer.mixers().size() + (layer.feedForward() instanceof FeedForward.None ? 0 : 1);
        }
        return sum;
    }
}
