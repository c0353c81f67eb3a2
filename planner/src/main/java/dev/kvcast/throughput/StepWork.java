package dev.kvcast.throughput;

import java.util.ArrayList;
import java.util.List;

/**
 * Bytes and operations of one step, before any efficiency.
 *
 * @param matrices one entry per group of matrices
 * @param attention attention over the caches
 * @param stateBytes recurrent states read and written
 * @param stateOperations scans of recurrent layers
 * @param activationBytes intermediate results
 * @param sequences sequences that decode and chunks
 * @param eager whether the step is launched kernel by kernel
 * @param linkBytes bytes over the link between ranks
 */
record StepWork(
        List<Matrix> matrices,
        Attention attention,
        double stateBytes,
        double stateOperations,
        double activationBytes,
        int sequences,
        boolean eager,
        double linkBytes) {

    /**
     * One group of matrices.
     *
     * @param group which
     * @param bytes weights read
     * @param operations multiplications and additions
     */
    record Matrix(MatrixGroup group, double bytes, double operations) {}

    /**
     * Attention.
     *
     * @param ownBytes cache that each sequence reads for itself
     * @param sharedBytes cache that all decoding sequences read, counted once
     * @param decoding sequences that decode
     * @param operations of heads up to 256 wide
     * @param wideOperations of wider heads
     */
    record Attention(double ownBytes, double sharedBytes, int decoding, double operations, double wideOperations) {}

    /** Powers of the numbers of tokens that choose experts independently; tokens of one text choose alike. */
    record ExpertDraws(double distinctDecode, double alikeDecode, double prefill) {
        double of(StepContent step, double prefillTokens) {
            double decode =
                    step.sequences() > 0 ? Math.pow(step.sequences(), step.alike() ? alikeDecode : distinctDecode) : 0;
            return decode + (prefillTokens > 0 ? Math.pow(prefillTokens, prefill) : 0);
        }
    }

    /** Counts a step. */
    static StepWork of(DeploymentWork work, StepContent step, ExpertDraws draws) {
        double prefill = 0;
        int logits = step.sequences();
        for (int i = 0; i < step.chunks(); i++) {
            prefill += step.chunkTokens(i);
            logits += step.chunkIsLast(i) ? 1 : 0;
        }
        double tokens = step.sequences() + prefill;
        int sequences = step.sequences() + step.chunks();
        List<Matrix> matrices = new ArrayList<>(work.matrices().size());
        double chosen = draws.of(step, prefill);
        for (MatrixGroup group : work.matrices()) {
            boolean head = group.kind() == MatrixGroup.Kind.HEAD;
            double rows = head ? logits : tokens;
            double bytes = head && logits == 0 ? 0 : group.bytes() * group.shareRead(chosen);
            matrices.add(new Matrix(group, bytes, 2 * rows * group.parameters() * group.activeShare()));
        }
        return new StepWork(
                matrices,
                attention(work, step),
                sequences * work.stateBytes(),
                prefill * work.stateOperations(),
                tokens * work.activationBytes(),
                sequences,
                !work.graphs().cover(tokens, prefill > 0),
                tokens * work.exchange().bytesPerToken());
    }

    private static Attention attention(DeploymentWork work, StepContent step) {
        double own = 0;
        double shared = 0;
        double operations = 0;
        double wide = 0;
        for (AttentionGroup group : work.attention()) {
            long window = group.windowTokens();
            double seen = step.contextTokens(window);
            double common =
                    group.shareable() && step.sequences() > 1 ? (double) Math.min(step.sharedTokens(), window) : 0;
            own += Math.max(0, seen - common * step.sequences()) * group.bytesPerToken();
            shared += common * group.bytesPerToken();
            if (group.indexBytesPerToken() > 0) {
                own += step.contextTokens(Long.MAX_VALUE) * group.indexBytesPerToken();
            }
            double sum = seen * group.operationsPerCachedToken();
            for (int i = 0; i < step.chunks(); i++) {
                double tokens = step.chunkTokens(i);
                double context = step.chunkContext(i);
                own += Math.min(context, (double) window) * (group.shareable() ? group.bytesPerToken() : 0);
                sum += group.pairs(tokens, context) * group.operationsPerPair()
                        + (tokens * context + tokens * tokens / 2) * group.indexOperationsPerPair();
            }
            operations += group.wide() ? 0 : sum;
            wide += group.wide() ? sum : 0;
        }
        return new Attention(own, shared, step.sequences(), operations, wide);
    }
}
