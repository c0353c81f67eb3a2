package dev.kvcast.engine;

/**
 * How an engine runs a step's kernels, as far as their time goes.
 *
 * @param linear kernels of dense matrices
 * @param experts kernels of routed experts
 * @param cacheDtype KV-cache type in the engine's spelling
 * @param cacheBytesPerElement bytes of one stored key or value element, scales included
 * @param graphs which steps run from captured CUDA graphs
 */
public record Kernels(
        Weights linear, Weights experts, String cacheDtype, double cacheBytesPerElement, Graphs graphs) {

    /**
     * Captured CUDA graphs. A step that none covers is launched kernel by kernel.
     *
     * @param decodeTokens most tokens of a step that only decodes, 0 without graphs
     * @param mixedTokens most tokens of a step that also computes prompts: its pieces between the attention layers are
     *     captured, 0 where only decoding is
     */
    public record Graphs(int decodeTokens, int mixedTokens) {

        /** Whether a step of {@code tokens} tokens runs from a graph. */
        public boolean cover(double tokens, boolean withPrompts) {
            return tokens <= (withPrompts ? mixedTokens : decodeTokens);
        }
    }

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
