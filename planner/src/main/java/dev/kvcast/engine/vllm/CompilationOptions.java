package dev.kvcast.engine.vllm;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Flags about CUDA graphs and kernels ({@code config/compilation.py}, {@code config/attention.py}).
 *
 * @param enforceEager {@code --enforce-eager}
 * @param level {@code --optimization-level}, 0 to 3
 * @param graphMode {@code cudagraph_mode} of {@code --compilation-config}
 * @param captureSizes {@code --cudagraph-capture-sizes} in tokens, empty for the default
 * @param maxCaptureSize {@code --max-cudagraph-capture-size} in tokens
 * @param attentionBackend {@code --attention-backend} in upper case, flag before environment
 * @param linearBackend {@code --linear-backend}
 * @param moeBackend {@code --moe-backend}
 */
public record CompilationOptions(
        boolean enforceEager,
        int level,
        Optional<GraphMode> graphMode,
        List<Integer> captureSizes,
        OptionalInt maxCaptureSize,
        Optional<String> attentionBackend,
        Optional<String> linearBackend,
        Optional<String> moeBackend) {

    /** Copies the list. */
    public CompilationOptions {
        captureSizes = List.copyOf(captureSizes);
    }

    /** {@code CUDAGraphMode}. */
    public enum GraphMode {
        NONE,
        PIECEWISE,
        FULL,
        FULL_DECODE_ONLY,
        FULL_AND_PIECEWISE;

        /** Whether decode steps run as one graph. */
        public boolean fullDecode() {
            return this == FULL || this == FULL_DECODE_ONLY || this == FULL_AND_PIECEWISE;
        }

        /** Whether steps that also compute prompts run from graphs, whole or in pieces. */
        public boolean mixed() {
            return this == FULL || this == PIECEWISE || this == FULL_AND_PIECEWISE;
        }
    }
}
