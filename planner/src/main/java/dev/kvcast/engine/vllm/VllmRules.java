package dev.kvcast.engine.vllm;

/**
 * What a vLLM release does differently from others, as far as capacity depends on it. Dates are merge dates; where a
 * release is not known from a log, the first one after the merge is taken.
 *
 * @param version release
 * @param defaultUtilization {@code gpu_memory_utilization}: 0.92 since 0.21 (PR 38284), 0.90 before
 * @param graphsSubtracted whether graph memory is estimated and subtracted by default, since 0.21 (PR 38284)
 * @param secondRunnerEstimatesGraphs whether the second model runner estimates it too, since 0.29 (PR 53306)
 * @param printedForm what "GPU KV cache size" means, since 0.20.2 concurrency times length (PR 41069)
 * @param hybridAllocator whether layers of several kinds share one pool, since 0.10
 * @param padUpRatio buckets of layers up to this much larger than the smallest set the group size; 1.5 since 0.18, 1.25
 *     since 0.12, 1 before
 * @param states rules of recurrent states
 * @param inFlightPerBatch whether windows also hold the tokens of every batch in flight, since 0.26 (2026-07-08)
 * @param largestBatchTier whether devices of 160 GiB and more have their own batch defaults, since 0.28 (PR 51726)
 * @param automaticLength whether {@code --max-model-len auto} exists, since 0.14 (PR 29431)
 * @param nullBlockReserved whether the boot check leaves out the pool's null block, since 0.30 (PR 47272)
 * @param asyncByDefault whether scheduling overlaps execution by default, since 0.14
 * @param captures rules of CUDA-graph sizes
 * @param sparseRetention whether prefix hits on states and windows need a replay boundary, since 0.28 (PR 52216)
 * @param plainBlocksFirst whether blocks without a hash are reused first, since 0.23
 * @param reserveFullPrompt whether admission looks at the whole prompt, since 0.19 (PR 37307)
 */
public record VllmRules(
        VllmVersion version,
        double defaultUtilization,
        boolean graphsSubtracted,
        boolean secondRunnerEstimatesGraphs,
        PrintedCapacity.Form printedForm,
        boolean hybridAllocator,
        double padUpRatio,
        StateRules states,
        boolean inFlightPerBatch,
        boolean largestBatchTier,
        boolean automaticLength,
        boolean nullBlockReserved,
        boolean asyncByDefault,
        CaptureRules captures,
        boolean sparseRetention,
        boolean plainBlocksFirst,
        boolean reserveFullPrompt) {

    /**
     * Recurrent states.
     *
     * @param alignMode whether {@code align} exists, since 0.15 (PR 30877); before, prefix caching meant {@code all}
     * @param allMode whether {@code all} exists, until 0.31
     * @param cachedByDefault whether hybrids cache prefixes by default, since 0.27 (PR 40996; 0.26.0 boots
     *     still fit mode none)
     * @param alignedDrafts whether speculation on hybrids means {@code align} even without prefix caching, since 0.20.2
     *     (2026-04-21)
     */
    public record StateRules(boolean alignMode, boolean allMode, boolean cachedByDefault, boolean alignedDrafts) {}

    /**
     * CUDA-graph sizes.
     *
     * @param strideAbove256 distance of sizes from 256 on: 16 since 0.12, 8 before
     * @param scaledByDrafts whether the largest size grows with draft tokens, since 0.14 (PR 30330)
     * @param uniformDecodeSizes whether exact decode batches are captured too, since 0.29 (PR 50488)
     * @param fullByDefault whether decode runs as one graph by default, since 0.11
     */
    public record CaptureRules(
            int strideAbove256, boolean scaledByDrafts, boolean uniformDecodeSizes, boolean fullByDefault) {}

    /** The rules of a release. */
    public static VllmRules of(VllmVersion version) {
        boolean since21 = version.atLeast(21, 0);
        return new VllmRules(
                version,
                since21 ? 0.92 : 0.90,
                since21,
                version.atLeast(29, 0),
                version.atLeast(20, 2) ? PrintedCapacity.Form.CONCURRENCY : PrintedCapacity.Form.BLOCKS_PER_GROUP,
                version.atLeast(10, 0),
                padUpRatio(version),
                new StateRules(
                        version.atLeast(15, 0),
                        !version.atLeast(32, 0),
                        version.atLeast(27, 0),
                        version.atLeast(20, 2)),
                version.atLeast(26, 0),
                version.atLeast(28, 0),
                version.atLeast(14, 0),
                version.atLeast(30, 0),
                version.atLeast(14, 0),
                new CaptureRules(
                        version.atLeast(12, 0) ? 16 : 8,
                        version.atLeast(14, 0),
                        version.atLeast(29, 0),
                        version.atLeast(11, 0)),
                version.atLeast(28, 0),
                version.atLeast(23, 0),
                version.atLeast(19, 0));
    }

    private static double padUpRatio(VllmVersion version) {
        if (version.atLeast(18, 0)) {
            return 1.5;
        }
        return version.atLeast(12, 0) ? 1.25 : 1.0;
    }
}
