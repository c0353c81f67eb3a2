package dev.kvcast.throughput;

import java.util.List;
import java.util.Optional;

/**
 * Seconds of one engine step:
 *
 * <pre>
 * T      = [ T_gpu^4 + (eager * kernels * launch)^4 ]^(1/4) + step + sequence * (sequences + chunks)
 * T_gpu  = sum of matrix groups + attention + states + activations + kernels * t_kernel
 *          + collectives * t_collective + link bytes / (link * share)
 * group  = [ (bytes / (bandwidth * share))^p + (operations / (rate * share))^p ]^(1/p)
 * </pre>
 *
 * <p>The p-norm is a maximum with a soft knee: near the balance of both, reading and computing overlap only in part. The
 * host's launches overlap with the device the same way, but only outside CUDA graphs. Every term is a sum or a norm of
 * increasing terms, and every share is below 1: a step never gets faster with more in it and never beats the card.
 */
public final class StepTime {

    /** Width at which matrices of one row are long enough to reach the card's usual bandwidth. */
    private static final double WIDE_HIDDEN = 5120;

    /** Overlap of the host's launches with the device. */
    private static final double LAUNCH_NORM = 4;

    /** Sequences at which half of the re-reads of a shared prefix come from the last-level cache. */
    private static final double SHARING_KNEE = 2.8;

    /** Sharpness of the limit on the share of a throttled tensor rate. */
    private static final double LIMIT_NORM = 8;

    private final DeploymentWork work;
    private final CoefficientValues values;
    private final StepForm form;

    /** The step times of a deployment under coefficients. */
    public StepTime(DeploymentWork work, CoefficientValues values, StepForm form) {
        this.work = work;
        this.values = values;
        this.form = form;
    }

    /** Seconds of a step, from its start to the start of the next when the engine is busy. */
    public double seconds(StepContent step) {
        return seconds(StepWork.of(work, step, form.expertDraws()));
    }

    /** Attention windows in tokens that the time of a step depends on. */
    public List<Long> windows() {
        return work.windows();
    }

    double seconds(StepWork step) {
        double bandwidth = work.accelerator().bandwidthBytesPerSecond();
        double rate = limited(get(Coefficient.MATRIX_RATE)) * work.native16();
        double reading = bandwidth * get(Coefficient.WEIGHT_READ);
        double device = attention(step.attention())
                + step.stateBytes() / reading
                + step.stateOperations() / (rate * get(Coefficient.RATE_STATE))
                + step.activationBytes() / reading
                + work.kernels() * get(Coefficient.KERNEL_SECONDS)
                + exchange(step);
        double narrow = narrow();
        for (StepWork.Matrix matrix : step.matrices()) {
            device += matrix(matrix, reading * narrow);
        }
        double host = step.eager() ? work.kernels() * get(Coefficient.LAUNCH_SECONDS) : 0;
        return norm(device, host, LAUNCH_NORM)
                + get(Coefficient.STEP_SECONDS)
                + step.sequences() * get(Coefficient.SEQUENCE_SECONDS);
    }

    /** Short rows leave memory channels idle: narrow models, and models cut over many ranks. */
    private double narrow() {
        double share = Math.min(work.hiddenSize() / WIDE_HIDDEN, 1);
        return Math.pow(share, get(Coefficient.NARROW_POWER))
                * Math.pow(work.exchange().ranks(), -get(Coefficient.SPLIT_POWER));
    }

    private double matrix(StepWork.Matrix matrix, double reading) {
        MatrixGroup group = matrix.group();
        boolean experts = group.kind() == MatrixGroup.Kind.EXPERTS;
        double read = Math.min(1, factor(group.path().read()));
        double rate = get(Coefficient.MATRIX_RATE)
                * Math.min(StepForm.BEST_PATH_GAIN, factor(group.path().rate()));
        if (experts) {
            read *= get(Coefficient.READ_EXPERTS);
            rate *= Math.min(1, get(Coefficient.RATE_EXPERTS));
        }
        double peak = group.path().operationsPerSecond(work.accelerator().compute(), work.native16());
        return norm(
                matrix.bytes() / Math.min(reading * read, bestBandwidth()),
                matrix.operations() / (peak * limited(rate)),
                form.overlapNorm());
    }

    private double bestBandwidth() {
        return Coefficient.BEST_EFFICIENCY * work.accelerator().bandwidthBytesPerSecond();
    }

    /**
     * Attention reads each sequence's own cache, and a shared prefix {@code C r(C)} times: it lies in memory once, and
     * the more sequences read it in step, the more find it in the last-level cache.
     */
    private double attention(StepWork.Attention attention) {
        double read = attention.ownBytes() + attention.sharedBytes() * rereads(attention.decoding());
        double reading = work.accelerator().bandwidthBytesPerSecond()
                * get(Coefficient.CACHE_READ)
                * form.cacheShare()
                * Math.pow(work.exchange().ranks(), -get(Coefficient.CACHE_SPLIT_POWER));
        double operations =
                attention.operations() + attention.wideOperations() / Math.min(1, get(Coefficient.RATE_WIDE_HEADS));
        double rate = work.native16() * limited(get(Coefficient.ATTENTION_RATE));
        return norm(read / reading, operations / rate, form.overlapNorm());
    }

    /** {@code C r(C)} with {@code r(1) = 1}; rises with C, so that one more sequence is never cheaper. */
    private double rereads(int sequences) {
        double kept = get(Coefficient.SHARED_READ);
        double whole = 1 + Math.pow(SHARING_KNEE, -3);
        double count = Math.max(1, sequences);
        return count * (kept + (1 - kept) * whole / (1 + Math.pow(count / SHARING_KNEE, 3)));
    }

    private double exchange(StepWork step) {
        DeploymentWork.Exchange exchange = work.exchange();
        if (exchange.collectives() == 0) {
            return 0;
        }
        Link link = exchange.link();
        return exchange.collectives() * get(link.kind().latency())
                + step.linkBytes() / (link.bytesPerSecond() * get(link.kind().efficiency()));
    }

    /**
     * Share of the listed rate for a share of the units' full rate. A throttled card lists half of what its units could
     * do, so its kernels come nearer to what it lists, but never past it.
     */
    private double limited(double share) {
        double throttle = work.accelerator().fullRateShare();
        double inverse = throttle / share;
        return Math.pow(
                Math.pow(inverse, LIMIT_NORM) + Math.pow(Coefficient.BEST_EFFICIENCY, -LIMIT_NORM), -1 / LIMIT_NORM);
    }

    private static double norm(double first, double second, double power) {
        double larger = Math.max(first, second);
        double smaller = Math.min(first, second);
        if (smaller <= 0) {
            return larger;
        }
        return larger * Math.pow(1 + Math.pow(smaller / larger, power), 1 / power);
    }

    private double get(Coefficient coefficient) {
        return values.get(coefficient);
    }

    private double factor(Optional<Coefficient> coefficient) {
        return coefficient.isPresent() ? values.get(coefficient.get()) : 1;
    }
}
