package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.ProfileFeatures.Platform;
import dev.kvcast.engine.vllm.ProfileFeatures.Sampler;
import dev.kvcast.engine.vllm.ProfileFeatures.Traits;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.StateShape;

/**
 * Works out what vLLM's profiling run allocates ({@code profile_run} and {@code _dummy_sampler_run} in
 * {@code v1/worker/gpu_model_runner.py} and {@code v1/worker/gpu/model_runner.py}): one forward pass of
 * {@code max_num_batched_tokens}, logits and a sampler for {@code max_num_seqs} rows, and one pass of the tower.
 */
final class ProfileRun {

    private static final double GIB = 1L << 30;

    /** Bytes of one 16-bit activation. */
    private static final double HALF = 2;

    /** Largest chunk of tokens that expert layers work on at once ({@code VLLM_FUSED_MOE_CHUNK_SIZE}). */
    private static final int EXPERT_CHUNK_TOKENS = 32768;

    /** Release that fused top-k/top-p by default for two weeks (PR 26859 made it opt-in again). */
    private static final VllmVersion FUSED_ONCE = new VllmVersion(0, 11, 0);

    private final ModelConfig model;
    private final VllmSettings settings;
    private final Accelerator accelerator;
    private final double tokens;
    private final int ranks;

    private final boolean samples;

    private final Drafter drafter;

    private ProfileRun(
            ModelConfig model, VllmSettings settings, Accelerator accelerator, boolean samples, Drafter drafter) {
        this.samples = samples;
        this.drafter = drafter;
        this.model = model;
        this.settings = settings;
        this.accelerator = accelerator;
        this.tokens = settings.batch().maxBatchedTokens();
        this.ranks = settings.parallelism().tensor();
    }

    /**
     * The forms for one rank.
     *
     * @param samples whether the rank's pipeline stage is the last, which runs the sampler
     * @param drafter separate draft model, if any
     */
    static ProfileFeatures of(
            ModelConfig model, VllmSettings settings, Accelerator accelerator, boolean samples, Drafter drafter) {
        return new ProfileRun(model, settings, accelerator, samples, drafter).features();
    }

    private ProfileFeatures features() {
        boolean compressed = model.residualStreams() > 1 && Attentions.compressed(model);
        double dense = compressed ? 0 : Math.max(denseLayer(), recurrentLayer()) + extraStreams();
        double experts = compressed || !hasExperts() ? 0 : expertLayer() + extraStreams();
        long rows = Math.min(settings.batch().maxSequences(), settings.batch().maxBatchedTokens());
        boolean second = settings.steps().secondRunner();
        boolean speculative = settings.speculativeTokens() > 0;
        boolean deltaNet = settings.rules().version().atLeast(26, 0) && has(StateShape.GatedDelta.class);
        double encoderTokens = encoderTokens();
        return new ProfileFeatures(
                dense,
                experts,
                compressed ? hyperLayer() : 0,
                (double) rows * model.vocabularySize(),
                sampler(),
                speculative && !second,
                tokens * model.hiddenSize() * HALF,
                encoder(encoderTokens),
                encoderTokens * model.hiddenSize() * HALF,
                settings.graphs().subtracted() && platform() == Platform.CUDA ? graphs() : 0,
                second,
                deltaNet ? tokens * model.hiddenSize() / ranks : 0,
                rows * Math.ceil(settings.batch().maxModelLen() / 16.0) * 4,
                traits(speculative));
    }

    private Traits traits(boolean speculative) {
        return new Traits(
                platform(),
                ranks,
                linked(),
                hasExperts(),
                speculative,
                accelerator.unifiedMemory() || accelerator.link().contains("C2C"),
                settings.towerProfiled(),
                weights(),
                settings.batch().tokensStated(),
                drafter.known());
    }

    /** Data-center cards with NVLink, whose peers open larger communication buffers; bridges of other cards do not. */
    private boolean linked() {
        int generation = accelerator.computeCapability();
        boolean dataCenter = generation == 80 || generation == 90 || generation / 10 == 10;
        return dataCenter && accelerator.link().startsWith("NVLink");
    }

    /** Residual and normed input, and gate, up and activated halves of the widest block. */
    private double denseLayer() {
        double widest = 0;
        for (DecoderLayer layer : model.layers()) {
            if (layer.feedForward() instanceof FeedForward.Dense block) {
                widest = Math.max(widest, block.intermediate());
            } else if (layer.feedForward() instanceof FeedForward.Experts block) {
                widest = Math.max(widest, block.sharedIntermediate());
            }
        }
        return tokens * (2.0 * model.hiddenSize() + 3 * widest / ranks) * HALF;
    }

    private double expertLayer() {
        double largest = 0;
        double chunk = Math.min(tokens, EXPERT_CHUNK_TOKENS);
        int split = settings.parallelism().expertParallel() ? 1 : ranks;
        for (DecoderLayer layer : model.layers()) {
            if (layer.feedForward() instanceof FeedForward.Experts block) {
                double inner = (double) block.intermediate() / split;
                double routed = chunk
                        * block.expertsPerToken()
                        * (Math.max((block.matrices() - 1) * inner, block.inputWidth()) + inner);
                largest = Math.max(largest, (routed + 3 * tokens * model.hiddenSize()) * HALF);
            }
        }
        return largest;
    }

    /** Projections into and out of a gated delta net, or of Kimi's variant. */
    private double recurrentLayer() {
        double largest = 0;
        for (DecoderLayer layer : model.layers()) {
            for (Mixer mixer : layer.mixers()) {
                if (mixer instanceof Mixer.Recurrent recurrent) {
                    largest = Math.max(largest, projected(recurrent.state()));
                }
            }
        }
        return largest == 0 ? 0 : tokens * (largest + 2.0 * model.hiddenSize()) * HALF;
    }

    private double projected(StateShape state) {
        if (state instanceof StateShape.GatedDelta delta) {
            double keys = 2.0 * delta.keyHeads() * delta.keyDim();
            return 2 * (keys + 2.0 * delta.valueHeads() * delta.valueDim()) / ranks;
        }
        return state instanceof StateShape.KimiDelta delta ? 8.0 * delta.heads() * delta.headDim() / ranks : 0;
    }

    /** Mixing several residual streams keeps copies of all of them, most of it not divided over ranks. */
    private double hyperLayer() {
        return tokens * HALF * model.hiddenSize() * model.residualStreams() * (8 + 13.0 / ranks);
    }

    private double extraStreams() {
        return (model.residualStreams() - 1) * tokens * model.hiddenSize() * 2 * HALF;
    }

    private Sampler sampler() {
        VllmVersion version = settings.rules().version();
        if (!samples || !version.atLeast(8, 0)) {
            return Sampler.NONE;
        }
        if (settings.steps().secondRunner()) {
            return Sampler.PLAIN;
        }
        return version.equals(FUSED_ONCE) || version.atLeast(17, 0) ? Sampler.FUSED : Sampler.NATIVE;
    }

    /** Tokens of the tower's pass: one batch of the largest item, or a full step of small ones. */
    private double encoderTokens() {
        return settings.towerProfiled() ? Math.max(tokens, model.encoder().maxItemTokens()) : 0;
    }

    private double encoder(double encoderTokens) {
        ModelConfig.Encoder tower = model.encoder();
        double inner = 4.0 * tower.intermediateSize() / ranks + 6.0 * tower.hiddenSize();
        return encoderTokens * tower.patchesPerToken() * inner;
    }

    /** Bytes that graphs of this shape take, before the fitted factor; grows with layers, width and captured sizes. */
    private double graphs() {
        int layers = model.layers().size();
        boolean recurrent = Attentions.recurrent(model);
        boolean drafting = settings.speculativeTokens() > 0;
        int pieces = settings.graphs().sizes().size();
        long decodeTokens = (long) settings.batch().maxSequences() * (1 + settings.speculativeTokens());
        long full = settings.graphs().mode().fullDecode() && !(recurrent && drafting)
                ? settings.graphs().sizes().stream()
                        .filter(size -> size <= decodeTokens)
                        .count()
                : 0;
        double perLayerAndGraph = 3.6e-5 + 1.78e-4 * model.hiddenSize() / 4096;
        double complexity = hasExperts() ? 3 : recurrent ? 0.8 : 1;
        double gib = 0.11
                + (recurrent && full > 0 ? 0.22 / ranks : 0)
                + layers * (pieces + full) * perLayerAndGraph * complexity;
        return gib * GIB;
    }

    private Platform platform() {
        return switch (accelerator.vendor()) {
            case "AMD" -> Platform.ROCM;
            case "Intel" -> Platform.XPU;
            default -> Platform.CUDA;
        };
    }

    private boolean hasExperts() {
        return model.layers().stream().anyMatch(layer -> layer.feedForward() instanceof FeedForward.Experts);
    }

    private boolean has(Class<? extends StateShape> kind) {
        return model.layers().stream()
                .flatMap(layer -> layer.mixers().stream())
                .anyMatch(mixer -> mixer instanceof Mixer.Recurrent recurrent && kind.isInstance(recurrent.state()));
    }

    /** Unquantized and 8-bit checkpoints leave no doubt about what stays in 16 bits; 4-bit builds of hybrids do. */
    private Traits.Weights weights() {
        if (!model.quantization().quantized()) {
            return Traits.Weights.KNOWN;
        }
        boolean plain = !Attentions.recurrent(model) && !hasExperts();
        double bits = model.quantization().scheme().bits(model.dtype());
        if (bits >= 8 || (plain && model.quantization().method().contains("awq"))) {
            return Traits.Weights.KNOWN;
        }
        return model.quantization().assumed() ? Traits.Weights.UNNAMED : Traits.Weights.UNSURE;
    }
}
