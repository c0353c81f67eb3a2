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
 *
 * <p>Without an eager launch, and without windows that some sequences have outgrown and others not, the time of a decode
 * step is affine in the sum of its contexts at a given number of sequences.
 */
public final class StepTime {

    private final DeploymentWork work;
    private final StepForm form;
    private final StepRates rates;

    /** The step times of a deployment under coefficients. */
    public StepTime(DeploymentWork work, CoefficientValues values, StepForm form) {
        this.work = work;
        this.form = form;
        this.rates = new StepRates(work, values, form);
    }

    /** Seconds of a step, from its start to the start of the next when the engine is busy. */
    public double seconds(StepContent step) {
        return seconds(count(step));
    }

    /**
     * Seconds below which no engine could stay: the step's bytes at the full bandwidth, or its operations at the units'
     * full rates.
     */
    public double leastSeconds(StepContent step) {
        StepWork counted = count(step);
        StepWork.Attention attention = counted.attention();
        double native16 = work.native16() / work.accelerator().fullRateShare();
        double bytes = attention.ownBytes() + attention.sharedBytes() + counted.stateBytes();
        double computing = (attention.operations() + attention.wideOperations()) / native16;
        for (StepWork.Matrix matrix : counted.matrices()) {
            bytes += matrix.bytes();
            ComputePath path = matrix.group().path();
            double rate = path.operationsPerSecond(work.accelerator().compute(), work.native16());
            computing += matrix.operations() * work.accelerator().fullRateShare() / rate;
        }
        return Math.max(bytes / work.accelerator().bandwidthBytesPerSecond(), computing);
    }

    /** Attention windows in tokens that the time of a step depends on. */
    public List<Long> windows() {
        return work.windows();
    }

    /** Bytes and operations of a step, which do not depend on coefficients. */
    StepWork count(StepContent step) {
        return StepWork.of(work, step, form.expertDraws());
    }

    double seconds(StepWork step) {
        double device = attention(step.attention())
                + step.stateBytes() * rates.secondsPerByte
                + step.stateOperations() * rates.secondsPerStateOperation
                + step.activationBytes() * rates.secondsPerByte
                + rates.kernels
                + rates.collectives
                + step.linkBytes() * rates.secondsPerLinkByte;
        List<StepWork.Matrix> matrices = step.matrices();
        for (int i = 0; i < matrices.size(); i++) {
            StepWork.Matrix matrix = matrices.get(i);
            device += norm(
                    matrix.bytes() * rates.secondsPerMatrixByte[i],
                    matrix.operations() * rates.secondsPerMatrixOperation[i]);
        }
        double total = step.eager() ? Math.sqrt(Math.hypot(device * device, rates.launches * rates.launches)) : device;
        return total + rates.step + step.sequences() * rates.sequence;
    }

    /**
     * Attention reads each sequence's own cache, and a shared prefix {@code C r(C)} times: it lies in memory once, and
     * the more sequences read it in step, the more find it in the last-level cache.
     */
    private double attention(StepWork.Attention attention) {
        double read = attention.ownBytes() + attention.sharedBytes() * rates.rereads(attention.decoding());
        double operations = attention.operations() * rates.secondsPerAttentionOperation
                + attention.wideOperations() * rates.secondsPerWideOperation;
        return norm(read * rates.secondsPerCacheByte, operations);
    }

    private double norm(double first, double second) {
        double larger = Math.max(first, second);
        double ratio = larger > 0 ? Math.min(first, second) / larger : 0;
        if (ratio < NEGLIGIBLE) {
            return larger;
        }
        double power = form.overlapNorm();
        return larger * Math.pow(1 + Math.pow(ratio, power), 1 / power);
    }

    /** Below this the smaller part adds less than 10^-6 to the norm, for any power from 2 on. */
    private static final double NEGLIGIBLE = 1e-3;

    /** The factor of a compute path, 1 where it has none. */
    static double factor(CoefficientValues values, Optional<Coefficient> coefficient) {
        return coefficient.isPresent() ? values.get(coefficient.get()) : 1;
    }
}
