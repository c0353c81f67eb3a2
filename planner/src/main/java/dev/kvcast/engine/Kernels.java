package dev.kvcast.engine;

/**
 * How an engine runs a step's kernels, as far as their time goes.
 *
 * @param linear kernels of dense matrices
 * @param experts kernels of routed experts
 * @param cacheDtype KV-cache type in the engine's spelling
 * @param cacheBytesPerElement bytes of one stored key or value element, scales included
 * @param largestGraph most decoding sequences whose step runs from a captured CUDA graph, 0 without graphs
 */
public record Kernels(
        Weights linear, Weights experts, String cacheDtype, double cacheBytesPerElement, int largestGraph) {

    /** What is done with quantized weights. */
    public enum Weights {
        /** The card's own units take them where it has such units. */
        NATIVE,
        /** Weights are widened on the fly and multiplied in 16 bits, whatever the card could do. */
        WIDENED,
        /** llama.cpp's kernels. */
        GGML
    }
}
