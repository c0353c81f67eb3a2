package dev.kvcast.validator.compare;

import dev.kvcast.plan.Fit;
import dev.kvcast.throughput.DeploymentWork;
import dev.kvcast.throughput.MatrixGroup;
import dev.kvcast.throughput.WorkCounter;
import dev.kvcast.validator.results.RunChecks;

/**
 * The bandwidth limit of decoding: a step gives each request one token and reads at least the weights that one token
 * uses, so no deployment generates faster than bandwidth over weights times requests.
 *
 * @param secondsPerStep least time of a step
 */
public record WeightReadLimit(double secondsPerStep) implements RunChecks.RateLimit {

    /** Memory of cards run above their specification is up to this much faster. */
    private static final double OVERCLOCKED = 1.15;

    /** The limit of a planned deployment; none for a model that the card's cache could hold. */
    public static WeightReadLimit of(Fit fit) {
        DeploymentWork work = WorkCounter.of(fit.scenario(), fit.plan());
        double bytes = 0;
        for (MatrixGroup group : work.matrices()) {
            boolean routed = group.kind() == MatrixGroup.Kind.EXPERTS;
            bytes += group.bytes() * (routed ? group.activeShare() : 1);
        }
        double read = Math.max(0, bytes - work.accelerator().l2Bytes());
        return new WeightReadLimit(read / (work.accelerator().bandwidthBytesPerSecond() * OVERCLOCKED));
    }

    @Override
    public double tokensPerSecond(int concurrency) {
        return concurrency / secondsPerStep;
    }
}
