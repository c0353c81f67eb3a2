package dev.kvcast.engine.vllm;

/**
 * What cannot be derived from a config: how much of each physical form vLLM's profiling run really keeps alive. Fitted on
 * public boot logs ({@code data/startups/}); the packaged values are in {@code data/calibrations/vllm-memory.json}.
 *
 * @param activation factors of the activation peak
 * @param graphs factors of the CUDA-graph estimate
 * @param other what is resident besides weights
 * @param spread what the 90% interval is made of
 */
public record MemoryCoefficients(Activation activation, Graphs graphs, Other other, Spread spread) {

    /**
     * Factors of the activation peak, without unit.
     *
     * @param denseLayer of the live set of a dense or recurrent layer
     * @param expertLayer of the live set of a mixture-of-experts layer
     * @param hyperLayer of the live set of a layer with several residual streams
     * @param encoder of the live set of a vision or audio tower
     * @param logitBytesUnsampled bytes per logit before the sampler was profiled (until 0.7)
     * @param logitBytesNative bytes per logit with PyTorch's top-k/top-p
     * @param logitBytesFused bytes per logit with a fused top-k/top-p
     * @param logitBytesPlain bytes per logit with the plain sampler of the second model runner
     * @param logitBytesRejection added by the rejection sampler of speculative decoding
     * @param hiddenCopiesSecondRunner copies of the hidden states alive beside the logits of the second model runner
     */
    public record Activation(
            double denseLayer,
            double expertLayer,
            double hyperLayer,
            double encoder,
            double logitBytesUnsampled,
            double logitBytesNative,
            double logitBytesFused,
            double logitBytesPlain,
            double logitBytesRejection,
            double hiddenCopiesSecondRunner) {}

    /**
     * The CUDA-graph estimate.
     *
     * @param firstRunner factor of the first model runner's estimate
     * @param secondRunner factor of the second model runner's estimate
     */
    public record Graphs(double firstRunner, double secondRunner) {}

    /**
     * Resident bytes besides weights, in GiB.
     *
     * @param base on every card
     * @param tensorParallel added with tensor parallelism
     * @param tensorParallelLinked added to that on data-center cards with fast links
     * @param experts added for mixtures of experts
     * @param speculative added with speculative decoding
     * @param deltaNet bytes per token and hidden element of a step, for gated delta nets since 0.26
     * @param unified added where the device shares the host's memory
     * @param rocm added on AMD
     * @param xpu added on Intel
     */
    public record Other(
            double base,
            double tensorParallel,
            double tensorParallelLinked,
            double experts,
            double speculative,
            double deltaNet,
            double unified,
            double rocm,
            double xpu) {}

    /**
     * Standard deviations that add up in squares, and the factor that makes them a 90% interval.
     *
     * @param base GiB on every boot
     * @param activationShare of the activation peak
     * @param graphShare of the graph estimate
     * @param knownWeightShare of weights whose kept modules are known
     * @param unknownWeightShare of weights of a quantized build whose kept modules are not known
     * @param unnamedWeightShare of weights of which only the base model and a 4-bit method are named
     * @param tensorParallel GiB with tensor parallelism
     * @param unified GiB where the device shares the host's memory
     * @param deltaNet GiB for gated delta nets since 0.26
     * @param hyper GiB for models with several residual streams
     * @param multimodal GiB where a tower is profiled
     * @param speculative GiB with speculative decoding
     * @param unknownDraft GiB where a draft model is not known
     * @param unstatedLayerShare of a layer's live set where the tokens of a step were not stated
     * @param unstated GiB where the tokens of a step were not stated
     * @param factor interval half-width in standard deviations
     */
    public record Spread(
            double base,
            double activationShare,
            double graphShare,
            double knownWeightShare,
            double unknownWeightShare,
            double unnamedWeightShare,
            double tensorParallel,
            double unified,
            double deltaNet,
            double hyper,
            double multimodal,
            double speculative,
            double unknownDraft,
            double unstatedLayerShare,
            double unstated,
            double factor) {}
}
