package dev.kvcast.throughput;

import dev.kvcast.engine.Kernels;
import dev.kvcast.hardware.Accelerator;
import java.util.List;

/**
 * What the steps of one deployment move and compute on one rank, and on what card.
 *
 * @param matrices groups of matrices
 * @param attention groups of attention layers
 * @param stateBytes bytes of one sequence's recurrent states over all layers, read and written once a step: both counted
 * @param stateOperations operations of one prompt token in the scans of recurrent layers
 * @param activationBytes bytes of intermediate results that one token writes and reads back
 * @param kernels kernels of one step
 * @param hiddenSize width of the residual stream
 * @param exchange what ranks tell each other
 * @param accelerator the card
 * @param graphs which steps run from captured CUDA graphs
 */
public record DeploymentWork(
        List<MatrixGroup> matrices,
        List<AttentionGroup> attention,
        double stateBytes,
        double stateOperations,
        double activationBytes,
        double kernels,
        int hiddenSize,
        Exchange exchange,
        Accelerator accelerator,
        Kernels.Graphs graphs) {

    /** Copies the lists. */
    public DeploymentWork {
        matrices = List.copyOf(matrices);
        attention = List.copyOf(attention);
    }

    /**
     * What ranks tell each other.
     *
     * @param ranks tensor-parallel ranks
     * @param collectives collectives (and hops between pipeline stages) of one step
     * @param bytesPerToken bytes that one token sends over a rank's link in one step
     * @param link the link
     */
    public record Exchange(int ranks, double collectives, double bytesPerToken, Link link) {}

    /** Attention windows in tokens that the time of a step depends on, without repetition. */
    public List<Long> windows() {
        return attention.stream()
                .map(AttentionGroup::windowTokens)
                .filter(window -> window != Long.MAX_VALUE)
                .distinct()
                .toList();
    }

    /** The same on a card whose tensor units run at full rate. */
    public DeploymentWork unthrottled() {
        return new DeploymentWork(
                matrices,
                attention,
                stateBytes,
                stateOperations,
                activationBytes,
                kernels,
                hiddenSize,
                exchange,
                accelerator.unthrottled(),
                graphs);
    }

    /** Operations per second of the 16-bit units with FP32 accumulation. */
    double native16() {
        Accelerator.Compute compute = accelerator.compute();
        return compute.bf16().isPresent()
                ? compute.bf16().getAsDouble()
                : compute.fp16().orElse(FALLBACK_RATE_PER_BYTE * accelerator.bandwidthBytesPerSecond());
    }

    /** Old cards without a published 16-bit rate compute in 32 bits: about 30 operations per byte of bandwidth. */
    private static final double FALLBACK_RATE_PER_BYTE = 30;
}
