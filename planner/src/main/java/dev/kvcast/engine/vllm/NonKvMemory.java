package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.ProfileFeatures.Traits;

/**
 * Memory of one rank that is neither weights nor KV cache, as vLLM's profiling run measures it
 * ({@code determine_available_memory} in {@code v1/worker/gpu_worker.py}).
 *
 * @param activation transient peak of the forward pass, the sampler or the tower, whichever is largest, in bytes
 * @param graphs CUDA-graph estimate that is subtracted, in bytes
 * @param other resident bytes besides weights
 * @param deviation standard deviation of the pool that is left, in bytes
 */
public record NonKvMemory(double activation, double graphs, double other, double deviation) {

    private static final double GIB = 1L << 30;

    /**
     * Weighs the forms.
     *
     * @param weightBytes weights on the rank, whose uncertainty is part of the deviation
     */
    public static NonKvMemory of(ProfileFeatures features, MemoryCoefficients coefficients, double weightBytes) {
        double activation = activation(features, coefficients.activation());
        double graphs = features.graphs()
                * (features.secondRunner()
                        ? coefficients.graphs().secondRunner()
                        : coefficients.graphs().firstRunner());
        double other = other(features, coefficients.other());
        double deviation = deviation(features, coefficients.spread(), activation, graphs, weightBytes);
        return new NonKvMemory(activation, graphs, other, deviation);
    }

    private static double activation(ProfileFeatures features, MemoryCoefficients.Activation factors) {
        double forward = layer(features, factors) + features.encoderOutput();
        double hiddenCopies = features.secondRunner() ? factors.hiddenCopiesSecondRunner() : 1;
        double sampling = logitBytes(features, factors) * features.logits()
                + hiddenCopies * features.hidden()
                + features.encoderOutput();
        return Math.max(Math.max(forward, sampling), factors.encoder() * features.encoder());
    }

    private static double layer(ProfileFeatures features, MemoryCoefficients.Activation factors) {
        double plain = factors.denseLayer() * features.denseLayer();
        double experts = factors.expertLayer() * features.expertLayer();
        return Math.max(Math.max(plain, experts), factors.hyperLayer() * features.hyperLayer());
    }

    private static double logitBytes(ProfileFeatures features, MemoryCoefficients.Activation factors) {
        double plain = switch (features.sampler()) {
            case NONE -> factors.logitBytesUnsampled();
            case NATIVE -> factors.logitBytesNative();
            case FUSED -> factors.logitBytesFused();
            case PLAIN -> factors.logitBytesPlain();
        };
        return features.rejection() ? plain + factors.logitBytesRejection() : plain;
    }

    private static double other(ProfileFeatures features, MemoryCoefficients.Other terms) {
        Traits traits = features.traits();
        double gib = terms.base();
        if (traits.tensorParallel() > 1) {
            gib += terms.tensorParallel() + (traits.linked() ? terms.tensorParallelLinked() : 0);
        }
        gib += traits.experts() ? terms.experts() : 0;
        gib += traits.speculative() ? terms.speculative() : 0;
        gib += traits.unified() ? terms.unified() : 0;
        gib += switch (traits.platform()) {
            case CUDA -> 0;
            case ROCM -> terms.rocm();
            case XPU -> terms.xpu();
        };
        return gib * GIB + terms.deltaNet() * features.deltaNet() + features.blockTable();
    }

    private static double deviation(
            ProfileFeatures features,
            MemoryCoefficients.Spread spread,
            double activation,
            double graphs,
            double weightBytes) {
        Traits traits = features.traits();
        double weightShare = switch (traits.weights()) {
            case KNOWN -> spread.knownWeightShare();
            case UNSURE -> spread.unknownWeightShare();
            case UNNAMED -> spread.unnamedWeightShare();
        };
        double squares = square(spread.base() * GIB)
                + square(spread.activationShare() * activation)
                + square(spread.graphShare() * graphs)
                + square(weightShare * weightBytes);
        squares += traits.tensorParallel() > 1 ? square(spread.tensorParallel() * GIB) : 0;
        squares += traits.unified() ? square(spread.unified() * GIB) : 0;
        squares += features.deltaNet() > 0 ? square(spread.deltaNet() * GIB) : 0;
        squares += features.hyperLayer() > 0 ? square(spread.hyper() * GIB) : 0;
        squares += traits.multimodal() ? square(spread.multimodal() * GIB) : 0;
        squares += traits.speculative() ? square(spread.speculative() * GIB) : 0;
        squares += traits.knownDraft() ? 0 : square(spread.unknownDraft() * GIB);
        if (!traits.stepStated()) {
            squares += square(spread.unstatedLayerShare() * largestLayer(features)) + square(spread.unstated() * GIB);
        }
        return Math.sqrt(squares);
    }

    private static double largestLayer(ProfileFeatures features) {
        return Math.max(Math.max(features.denseLayer(), features.expertLayer()), features.hyperLayer());
    }

    private static double square(double value) {
        return value * value;
    }
}
