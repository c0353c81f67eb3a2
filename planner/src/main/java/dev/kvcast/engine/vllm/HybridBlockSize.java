package dev.kvcast.engine.vllm;

/**
 * Block size of models that mix attention with recurrent states: the smallest one whose attention page holds a state
 * ({@code _align_hybrid_block_size} in vLLM's {@code platforms/interface.py}).
 *
 * @param blockSize tokens per block
 * @param pageBytes bytes of one block in one layer, to which states are padded
 */
public record HybridBlockSize(int blockSize, long pageBytes) {

    /**
     * Aligns attention blocks with states.
     *
     * @param tokenBytes bytes of one token in one attention layer
     * @param stateBytes bytes of the largest state
     * @param kernelBlock smallest block of the attention backend, and at least the block size asked for
     * @param currentBlockSize block size before alignment
     */
    public static HybridBlockSize align(long tokenBytes, long stateBytes, int kernelBlock, int currentBlockSize) {
        long step = Math.multiplyExact((long) kernelBlock, tokenBytes);
        long aligned = kernelBlock * ((stateBytes + step - 1) / step);
        int blockSize = Math.toIntExact(Math.max(currentBlockSize, aligned));
        return new HybridBlockSize(blockSize, blockSize * tokenBytes);
    }

    /** Share of a page that a state of {@code stateBytes} leaves unused, in percent of the state. */
    public double paddingPercent(long stateBytes) {
        return 100.0 * (pageBytes - stateBytes) / stateBytes;
    }
}
