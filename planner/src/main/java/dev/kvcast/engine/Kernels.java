package dev.kvcast.engine;

/**
 * How an engine runs a step's kernels, as far as their time goes.
 *
 * @param linear kernels of dense matrices
 * @param experts kernels of routed experts
 * @param cacheDtype KV-cache type in the engine's spelling
 * @param cacheBytesPerElement bytes of one stored key or value element, scales included
 */
public record Kernels(Weights linear, Weights experts, String cacheDtype, double cacheBytesPerElement) {

    /** What is done with quantized weights. */
    public enum Weights {
        /** The card's own units take them where it has such units. */
        NATIVE,
        /** Weights are widened on the fly and multiplied in 16 bits, whatever the card could do. */
        WIDENED,
        /** llama.cpp's kernels. */
        GGML
    }

    /** 16-bit cache, native kernels. */
    public static final Kernels PLAIN = new Kernels(Weights.NATIVE, Weights.NATIVE, "bfloat16", 2);
}
