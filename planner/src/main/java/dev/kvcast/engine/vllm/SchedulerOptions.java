package dev.kvcast.engine.vllm;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Flags of the scheduler ({@code config/scheduler.py}).
 *
 * @param maxSequences {@code --max-num-seqs}
 * @param maxBatchedTokens {@code --max-num-batched-tokens}
 * @param maxActiveSequences {@code --max-num-active-seqs}
 * @param chunkedPrefill {@code --enable-chunked-prefill}, empty for the default
 * @param chunkedMultimodalDisabled {@code --disable-chunked-mm-input}
 * @param longPrefillThreshold {@code --long-prefill-token-threshold} in tokens, 0 for none
 * @param maxPartialPrefills {@code --max-num-partial-prefills} of releases before 0.31
 * @param priority whether {@code --scheduling-policy} is {@code priority} rather than {@code fcfs}
 * @param asyncScheduling {@code --async-scheduling}, empty for the default
 * @param reserveFullPrompt {@code --scheduler-reserve-full-isl}, empty for the default
 * @param watermark {@code --watermark}, share of blocks kept free at admission, below 1
 * @param streamInterval {@code --stream-interval} in tokens
 * @param mode {@code --performance-mode}
 */
public record SchedulerOptions(
        OptionalInt maxSequences,
        OptionalInt maxBatchedTokens,
        OptionalInt maxActiveSequences,
        Optional<Boolean> chunkedPrefill,
        boolean chunkedMultimodalDisabled,
        int longPrefillThreshold,
        int maxPartialPrefills,
        boolean priority,
        Optional<Boolean> asyncScheduling,
        Optional<Boolean> reserveFullPrompt,
        double watermark,
        int streamInterval,
        Mode mode) {

    /** {@code --performance-mode}. */
    public enum Mode {
        BALANCED,
        INTERACTIVITY,
        THROUGHPUT
    }
}
