package dev.kvcast.simulate.vllm;

/** Where a prefill leaves a reusable state ({@code v1/kv_cache_interface.py}). */
final class Checkpoints {

    private Checkpoints() {}

    /** {@code get_mamba_prefill_checkpoint_position}: the last multiple of {@code unit} that a resend can hit. */
    static int position(int tokens, int unit, boolean dropsDraftBlock) {
        int limit = dropsDraftBlock ? tokens : tokens - 1;
        int position = Math.floorDiv(limit, unit) * unit - (dropsDraftBlock ? unit : 0);
        return Math.max(position, 0);
    }

    /** {@code is_mamba_prefill_checkpoint_valid}: whether the backend can export the state inside this chunk. */
    static boolean isValid(int start, int end, int position, int unit, int blockSize, int alignment) {
        int initial = Math.floorDiv(start - 1, blockSize);
        int column = (end + blockSize - 1) / blockSize - 2;
        return alignment > 0
                && start % unit == 0
                && column > initial
                && start + unit <= position
                && start < position
                && position < end
                && (position - start) % alignment == 0;
    }
}
