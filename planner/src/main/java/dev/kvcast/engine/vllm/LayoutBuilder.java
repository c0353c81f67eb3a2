package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;

/** Puts a deployment's layers into KV-cache groups. */
final class LayoutBuilder {

    /** vLLM's {@code DEFAULT_BLOCK_SIZE}. */
    private static final int DEFAULT_BLOCK_SIZE = 16;

    /**
     * Block of FlashMLA and FlashInfer MLA, which serve latent attention from Hopper on, and of every XPU backend
     * ({@code platforms/xpu.py}).
     */
    private static final int LARGE_KERNEL_BLOCK = 64;

    private static final int HOPPER = 90;

    /** Decoder tokens an encoder-decoder model's encoder produces at most (Whisper's 30 s window). */
    private static final long ENCODER_TOKENS = 1500;

    private LayoutBuilder() {}

    /** The groups and what requests are charged in them. */
    static KvLayout build(Deployment deployment, PipelineStages stages) {
        VllmSettings settings = deployment.settings();
        ModelConfig model = deployment.scenario().model();
        LayerSpecs specs = LayerSpecs.of(model, cacheSettings(deployment));
        boolean packed = specs.specs().stream()
                .anyMatch(spec -> spec instanceof Attention attention
                        && attention.latent()
                        && attention.reach() == KvSpec.Reach.WINDOW);
        KvGrouping.Policy policy = new KvGrouping.Policy(
                settings.rules().padUpRatio(),
                settings.cache().hybridManager(),
                !settings.rules().version().atLeast(25, 0),
                packed);
        KvLayout.RequestCharge charge = new KvLayout.RequestCharge(
                settings.inFlightTokens(),
                settings.parallelism().decodeContext(),
                settings.cache().stateMode());
        return new KvLayout(
                KvGrouping.group(specs.specs(), policy),
                stages.entryStarts(specs.decoderLayer()),
                specs.specs().size(),
                charge);
    }

    private static CacheSettings cacheSettings(Deployment deployment) {
        VllmSettings settings = deployment.settings();
        CacheOptions.StateOptions states = deployment.options().cache().state();
        // DeepSeek-V4 has only its packed layout to offer.
        boolean packed = Attentions.compressed(deployment.scenario().model());
        KvCacheDtype dtype = KvCacheDtype.parse(settings.cache().dtype())
                .orElseGet(() -> packed ? KvCacheDtype.FP8_DS_MLA : KvCacheDtype.ofModel(settings.dtype()));
        return new CacheSettings(
                settings.parallelism().tensor(),
                dtype,
                settings.dtype(),
                deployment.options().cache().blockSize().orElse(preferredBlock(deployment)),
                states.convDtype(),
                states.recurrentDtype(),
                settings.cache().stateMode(),
                settings.speculativeTokens(),
                draftLayers(deployment),
                ENCODER_TOKENS);
    }

    private static List<DecoderLayer> draftLayers(Deployment deployment) {
        ModelConfig model = deployment.scenario().model();
        List<DecoderLayer> layers = new ArrayList<>(draftLoaded(deployment) ? model.draftLayers() : List.of());
        layers.addAll(Drafters.of(model, deployment.options()).layers(model));
        return layers;
    }

    /** Whether the checkpoint's own draft module is loaded: it is what method {@code mtp} runs. */
    static boolean draftLoaded(Deployment deployment) {
        return deployment.options().speculative().isPresent()
                && deployment.options().speculative().get().method().equals("mtp");
    }

    private static int preferredBlock(Deployment deployment) {
        Accelerator accelerator = deployment.scenario().accelerator();
        boolean latent = deployment.scenario().model().layers().stream()
                .flatMap(layer -> layer.mixers().stream())
                .anyMatch(mixer -> mixer instanceof Mixer.Latent);
        boolean xpu = accelerator.vendor().equals("Intel");
        return xpu || (latent && accelerator.computeCapability() >= HOPPER) ? LARGE_KERNEL_BLOCK : DEFAULT_BLOCK_SIZE;
    }
}
