package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Kernels;
import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import java.util.List;
import java.util.Optional;

/** Which kernels a vLLM deployment runs. */
final class KernelChoice {

    /** Head width at which a KV-cache type's bytes per element are taken. */
    private static final int USUAL_HEAD = 128;

    /** Elements of the only latent vector that the packed latent types hold. */
    private static final int LATENT = 576;

    private KernelChoice() {}

    static Kernels of(Deployment deployment) {
        VllmSettings settings = deployment.settings();
        KvCacheDtype dtype =
                KvCacheDtype.parse(settings.cache().dtype()).orElseGet(() -> KvCacheDtype.ofModel(settings.dtype()));
        CompilationOptions options = deployment.options().compilation();
        return new Kernels(
                weights(options.linearBackend()),
                weights(options.moeBackend()),
                dtype.flag(),
                bytesPerElement(dtype),
                graphs(settings.graphs()));
    }

    private static Kernels.Graphs graphs(VllmSettings.Graphs graphs) {
        List<Integer> sizes = graphs.sizes();
        int largest = graphs.used() && !sizes.isEmpty() ? sizes.get(sizes.size() - 1) : 0;
        return new Kernels.Graphs(largest, graphs.mode().mixed() ? largest : 0);
    }

    private static double bytesPerElement(KvCacheDtype dtype) {
        boolean latent = dtype == KvCacheDtype.FP8_DS_MLA || dtype == KvCacheDtype.NVFP4_DS_MLA;
        return latent
                ? (double) dtype.headBytes(LATENT, 0) / LATENT
                : (double) dtype.headBytes(USUAL_HEAD, USUAL_HEAD) / (2 * USUAL_HEAD);
    }

    /** Marlin widens weights; every other backend takes them as they are. */
    private static Kernels.Weights weights(Optional<String> backend) {
        return backend.filter("marlin"::equals).isPresent() ? Kernels.Weights.WIDENED : Kernels.Weights.NATIVE;
    }
}
