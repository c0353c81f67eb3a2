package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Batch sizes that CUDA graphs are captured for ({@code config/vllm.py}, {@code _set_cudagraph_sizes}). */
final class CaptureSizes {

    private static final int LARGEST = 512;
    private static final int LARGEST_DATA_CENTER_BLACKWELL = 1024;
    private static final int STRIDE_CHANGES = 256;
    private static final int INTERACTIVE = 32;

    private final VllmRules.CaptureRules rules;
    private final CompilationOptions options;
    private final Batch batch;

    /**
     * What sizes depend on.
     *
     * @param maxSequences {@code max_num_seqs}
     * @param maxBatchedTokens {@code max_num_batched_tokens}
     * @param speculativeTokens draft tokens per step
     * @param dataCenterBlackwell whether the device is of the 10.x family
     * @param interactive whether small batches get every size
     */
    record Batch(
            int maxSequences,
            int maxBatchedTokens,
            int speculativeTokens,
            boolean dataCenterBlackwell,
            boolean interactive) {}

    private CaptureSizes(VllmRules.CaptureRules rules, CompilationOptions options, Batch batch) {
        this.rules = rules;
        this.options = options;
        this.batch = batch;
    }

    /**
     * The sizes in tokens, ascending; graphs must be on.
     *
     * @throws InputException when a largest size contradicts given sizes
     */
    static List<Integer> of(VllmRules.CaptureRules rules, CompilationOptions options, Batch batch) {
        return new CaptureSizes(rules, options, batch).sizes();
    }

    private List<Integer> sizes() {
        NavigableSet<Integer> sizes = options.captureSizes().isEmpty() ? defaults() : given();
        return new ArrayList<>(sizes);
    }

    private NavigableSet<Integer> given() {
        NavigableSet<Integer> sizes = new TreeSet<>(options.captureSizes());
        sizes.removeIf(size -> size > batch.maxBatchedTokens());
        int largest = sizes.isEmpty() ? 0 : sizes.last();
        if (options.maxCaptureSize().isPresent() && options.maxCaptureSize().getAsInt() != largest) {
            throw InputException.badInput("--max-cudagraph-capture-size is "
                    + options.maxCaptureSize().getAsInt() + " but the largest of --cudagraph-capture-sizes is "
                    + largest
                    + "; make them equal or drop one");
        }
        return sizes;
    }

    private NavigableSet<Integer> defaults() {
        int ceiling =
                batch.dataCenterBlackwell() && rules.strideAbove256() > 8 ? LARGEST_DATA_CENTER_BLACKWELL : LARGEST;
        int decode = rules.scaledByDrafts() ? 1 + batch.speculativeTokens() : 1;
        long scaled = 2L * batch.maxSequences() * decode;
        int wanted = options.maxCaptureSize().orElse((int) Math.min(scaled, ceiling));
        int largest = Math.min(batch.maxBatchedTokens(), wanted);
        NavigableSet<Integer> sizes = grid(largest, rules.strideAbove256());
        if (batch.interactive()) {
            for (int size = 1; size <= Math.min(largest, INTERACTIVE); size++) {
                sizes.add(size);
            }
        }
        if (batch.maxBatchedTokens() <= largest) {
            sizes.add(batch.maxBatchedTokens());
        }
        if (rules.uniformDecodeSizes() && options.maxCaptureSize().isEmpty()) {
            addDecodeBatches(sizes, decode, wanted, ceiling);
        }
        return sizes;
    }

    /** Whole decode batches: every request's token and its drafts. */
    private void addDecodeBatches(NavigableSet<Integer> sizes, int decode, int wanted, int ceiling) {
        int requests = Math.min(batch.maxSequences(), ceiling);
        NavigableSet<Integer> counts = decode > 1 ? grid(requests, 16) : new TreeSet<>();
        counts.add(decode > 1 ? requests : batch.maxSequences());
        for (int count : counts) {
            long size = (long) count * decode;
            if (size <= Math.min(wanted, batch.maxBatchedTokens())) {
                sizes.add((int) size);
            }
        }
    }

    private static NavigableSet<Integer> grid(int largest, int strideAbove) {
        NavigableSet<Integer> sizes = new TreeSet<>();
        for (int size = 1; size <= Math.min(largest, 4); size *= 2) {
            sizes.add(size);
        }
        for (int size = 8; size <= largest && size < STRIDE_CHANGES; size += 8) {
            sizes.add(size);
        }
        for (int size = STRIDE_CHANGES; size <= largest; size += strideAbove) {
            sizes.add(size);
        }
        return sizes;
    }
}
