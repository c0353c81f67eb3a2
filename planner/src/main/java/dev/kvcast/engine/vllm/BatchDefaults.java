package dev.kvcast.engine.vllm;

import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Limits of a step: given, or by the size of the device ({@code EngineArgs.get_batch_defaults} and
 * {@code _set_default_max_num_seqs_and_batched_tokens_args}), and the checks of {@code SchedulerConfig}.
 */
final class BatchDefaults {

    private static final long GIB = 1L << 30;

    private final VllmRules rules;
    private final VllmOptions options;
    private final ModelConfig model;
    private final Accelerator accelerator;
    private final List<String> warnings = new ArrayList<>();

    BatchDefaults(VllmRules rules, VllmOptions options, ModelConfig model, Accelerator accelerator) {
        this.rules = rules;
        this.options = options;
        this.model = model;
        this.accelerator = accelerator;
    }

    /** What the user should know. */
    List<String> warnings() {
        return warnings;
    }

    /** The limits, checked against each other. */
    VllmSettings.Batch batch(boolean chunkedPrefill) {
        long length = length();
        int sequences = options.scheduler().maxSequences().orElse(defaultSequences());
        int tokens = options.scheduler().maxBatchedTokens().orElse(defaultTokens(sequences, length, chunkedPrefill));
        if (options.scheduler().maxSequences().isEmpty()) {
            sequences = Math.min(sequences, tokens);
        }
        check(sequences, tokens, length, chunkedPrefill);
        boolean fromMemory = options.model().length() instanceof ModelOptions.Length.FromMemory;
        if (fromMemory && !rules.automaticLength()) {
            throw InputException.badInput(
                    "--max-model-len auto came with vLLM 0.14; " + rules.version() + " expects a number");
        }
        boolean stated = options.scheduler().maxBatchedTokens().isPresent();
        return new VllmSettings.Batch(length, fromMemory, sequences, tokens, chunkedPrefill, stated);
    }

    private long length() {
        if (!(options.model().length() instanceof ModelOptions.Length.Tokens given)) {
            return model.maxModelLength();
        }
        if (given.tokens() > model.maxModelLength()) {
            String message = "--max-model-len " + given.tokens() + " is above the " + model.maxModelLength() + " of "
                    + model.id();
            if (!options.environment().longModelLength()) {
                throw InputException.badInput(message
                        + "; lower it, add rope scaling with --hf-overrides or set VLLM_ALLOW_LONG_MAX_MODEL_LEN=1");
            }
            warnings.add(message + ", which VLLM_ALLOW_LONG_MAX_MODEL_LEN allows");
        }
        return given.tokens();
    }

    /** Devices from 70 GiB on take larger batches, except the A100, which they slow down (PR 17885). */
    private boolean large() {
        boolean a100 = accelerator.name().toLowerCase(Locale.ROOT).contains("a100");
        return accelerator.memoryBytes() >= 70 * GIB && !a100;
    }

    private boolean largest() {
        return rules.largestBatchTier() && accelerator.memoryBytes() >= 160 * GIB;
    }

    private int defaultSequences() {
        int sequences = large() || largest() ? 1024 : 256;
        return options.scheduler().mode() == SchedulerOptions.Mode.THROUGHPUT ? 2 * sequences : sequences;
    }

    private int defaultTokens(int sequences, long length, boolean chunkedPrefill) {
        long tokens = largest() ? 16384 : large() ? 8192 : 2048;
        if (options.scheduler().mode() == SchedulerOptions.Mode.THROUGHPUT) {
            tokens *= 2;
        }
        if (!chunkedPrefill) {
            tokens = Math.max(tokens, length);
        }
        tokens = Math.max(tokens, largestItem());
        return (int) Math.min(Math.min(tokens, sequences * length), Integer.MAX_VALUE);
    }

    /** Prefix-LM multimodal models attend to a whole item at once, so it must fit one step (Gemma 4). */
    private int largestItem() {
        boolean whole =
                model.modelType().startsWith("gemma4") && !options.multimodal().languageModelOnly();
        return whole ? model.encoder().maxItemTokens() : 0;
    }

    private void check(int sequences, int tokens, long length, boolean chunkedPrefill) {
        if (tokens < length && !chunkedPrefill) {
            throw InputException.badInput("--max-num-batched-tokens " + tokens + " is below max_model_len " + length
                    + " while chunked prefill is off; raise it, lower --max-model-len or enable chunked prefill");
        }
        if (tokens < sequences) {
            throw InputException.badInput("--max-num-batched-tokens " + tokens + " is below max_num_seqs " + sequences
                    + "; it must be at least as large");
        }
        int active = options.scheduler().maxActiveSequences().orElse(0);
        if (active > sequences) {
            throw InputException.badInput("--max-num-active-seqs " + active + " is above max_num_seqs " + sequences);
        }
        if (options.scheduler().longPrefillThreshold() > length) {
            throw InputException.badInput("--long-prefill-token-threshold "
                    + options.scheduler().longPrefillThreshold() + " is above max_model_len " + length);
        }
        int drafted = options.speculative()
                .flatMap(drafts -> drafts.tokens().isPresent()
                        ? Optional.of(drafts.tokens().getAsInt())
                        : Optional.empty())
                .orElse(0);
        if (options.lora().enabled() && drafted > 0 && tokens < (long) sequences * (drafted + 1)) {
            throw InputException.badInput("--max-num-batched-tokens " + tokens + " is too small for " + sequences
                    + " sequences of " + (drafted + 1) + " tokens with LoRA; raise it or lower num_speculative_tokens");
        }
    }
}
