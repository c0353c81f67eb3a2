package dev.kvcast.engine.vllm;

/**
 * Flags about LoRA adapters ({@code config/lora.py}).
 *
 * @param maxAdapters {@code --max-loras}, adapters in one batch, 0 when LoRA is off
 * @param maxRank {@code --max-lora-rank}
 * @param fullySharded {@code --fully-sharded-loras}
 */
public record LoraOptions(int maxAdapters, int maxRank, boolean fullySharded) {

    /** LoRA off. */
    public static final LoraOptions OFF = new LoraOptions(0, 16, false);

    /** Whether adapters can be loaded. */
    public boolean enabled() {
        return maxAdapters > 0;
    }
}
