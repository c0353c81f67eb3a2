package dev.kvcast.engine.vllm;

/**
 * The physical forms that vLLM's profiling run is made of, for one rank; {@link NonKvMemory} weighs them with fitted
 * factors. All sizes in bytes unless said otherwise.
 *
 * @param denseLayer largest live set of a dense or recurrent layer
 * @param expertLayer largest live set of a mixture-of-experts layer, 0 without one
 * @param hyperLayer live set of a DeepSeek-V4 layer with its residual streams, 0 for others
 * @param logits rows times vocabulary of the sampler's dummy run (every rank holds the gathered logits)
 * @param sampler which sampler runs
 * @param rejection whether the rejection sampler of speculative decoding runs too
 * @param hidden hidden states of one step
 * @param encoder live set of the tower's pass
 * @param encoderOutput tower outputs kept while the decoder is profiled
 * @param graphs CUDA-graph form, 0 where it is not subtracted
 * @param secondRunner whether the second model runner serves
 * @param deltaNet step tokens times hidden size per rank, for gated delta nets since 0.26, else 0 (elements)
 * @param blockTable block table
 * @param traits facts that move resident memory
 */
public record ProfileFeatures(
        double denseLayer,
        double expertLayer,
        double hyperLayer,
        double logits,
        Sampler sampler,
        boolean rejection,
        double hidden,
        double encoder,
        double encoderOutput,
        double graphs,
        boolean secondRunner,
        double deltaNet,
        double blockTable,
        Traits traits) {

    /** What the dummy sampler keeps alive per logit. */
    public enum Sampler {
        /** Not profiled (before 0.8, PR 14508). */
        NONE,
        /** PyTorch's top-k/top-p: sort values, indices and workspace (0.8 to 0.16). */
        NATIVE,
        /** Fused top-k/top-p (0.11.0 with FlashInfer; since 0.17 in Triton, PR 33538). */
        FUSED,
        /** No top-k/top-p at all: the second model runner's dummy run. */
        PLAIN
    }

    /** Platforms whose runtimes differ. */
    public enum Platform {
        CUDA,
        ROCM,
        XPU
    }

    /**
     * Facts that move resident memory and the interval.
     *
     * @param platform runtime
     * @param tensorParallel ranks
     * @param linked whether ranks talk over fast links of data-center cards
     * @param experts whether the model is a mixture of experts
     * @param speculative whether drafts are made
     * @param unified whether the device shares the host's memory
     * @param multimodal whether a tower is profiled
     * @param weights how well the checkpoint's bytes are known
     * @param stepStated whether the tokens of a step were given rather than taken from the device's default
     * @param knownDraft whether what drafts is known
     */
    public record Traits(
            Platform platform,
            int tensorParallel,
            boolean linked,
            boolean experts,
            boolean speculative,
            boolean unified,
            boolean multimodal,
            Weights weights,
            boolean stepStated,
            boolean knownDraft) {

        /** How well a checkpoint's bytes are known. */
        public enum Weights {
            /** Unquantized, 8-bit, or a 4-bit build whose modules are all alike. */
            KNOWN,
            /** A 4-bit build that keeps some modules in 16 bits by its maker's choice. */
            UNSURE,
            /** Only the base model and a 4-bit method are named; builds of it differ by gigabytes. */
            UNNAMED
        }
    }
}
