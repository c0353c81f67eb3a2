package dev.kvcast.model;

/**
 * The fixed-size memory of one recurrent layer: a short convolution window and, for most kinds, a recurrent state.
 * Element counts are per sequence and per tensor-parallel rank. Formulas follow vLLM's
 * {@code model_executor/layers/mamba/mamba_utils.py}.
 */
public sealed interface StateShape {

    /**
     * Elements of the convolution window on one rank.
     *
     * @param tensorParallel ranks the layer is split over
     * @param speculativeTokens draft tokens per step; each adds one column to the window of the kinds that allow it
     */
    long convElements(int tensorParallel, int speculativeTokens);

    /** Elements of the recurrent state on one rank, 0 for a pure convolution. */
    long recurrentElements(int tensorParallel);

    /** Width of the convolution kernel in tokens. */
    int convKernel();

    /** Whether the recurrent state is kept in 32 bits whatever the model or flags say. */
    default boolean alwaysFloat32() {
        return false;
    }

    /**
     * Mamba 1.
     *
     * @param channels inner width ({@code mamba_expand * hidden_size})
     * @param stateSize state elements per channel
     * @param timeStepRank rank of the time-step projection
     */
    record Mamba1(int channels, int stateSize, int convKernel, int timeStepRank) implements StateShape {
        @Override
        public long convElements(int tensorParallel, int speculativeTokens) {
            return (long) (convKernel - 1) * (channels / tensorParallel);
        }

        @Override
        public long recurrentElements(int tensorParallel) {
            return (long) (channels / tensorParallel) * stateSize;
        }
    }

    /**
     * Mamba 2.
     *
     * @param heads state heads
     * @param headDim elements per head
     * @param stateSize state elements per head element
     * @param groups B/C groups
     */
    record Mamba2(int heads, int headDim, int stateSize, int groups, int convKernel) implements StateShape {
        @Override
        public long convElements(int tensorParallel, int speculativeTokens) {
            // Groups that do not divide are replicated until every rank holds one.
            int heldGroups = groups % tensorParallel == 0 ? groups : tensorParallel;
            long channels = (long) heads * headDim + 2L * heldGroups * stateSize;
            return (convKernel - 1L + speculativeTokens) * (channels / tensorParallel);
        }

        @Override
        public long recurrentElements(int tensorParallel) {
            return (long) (heads / tensorParallel) * headDim * stateSize;
        }
    }

    /** Gated delta net (Qwen3-Next, Qwen3.5 and later hybrids). */
    record GatedDelta(int keyHeads, int valueHeads, int keyDim, int valueDim, int convKernel) implements StateShape {
        @Override
        public long convElements(int tensorParallel, int speculativeTokens) {
            long channels = 2L * keyHeads * keyDim + (long) valueHeads * valueDim;
            return (convKernel - 1L + speculativeTokens) * (channels / tensorParallel);
        }

        @Override
        public long recurrentElements(int tensorParallel) {
            return (long) (valueHeads / tensorParallel) * valueDim * keyDim;
        }
    }

    /** Kimi delta attention; its recurrent state is always 32-bit. */
    record KimiDelta(int heads, int headDim, int convKernel) implements StateShape {
        @Override
        public long convElements(int tensorParallel, int speculativeTokens) {
            return (convKernel - 1L + speculativeTokens) * (3L * heads * headDim / tensorParallel);
        }

        @Override
        public long recurrentElements(int tensorParallel) {
            return (long) (heads / tensorParallel) * headDim * headDim;
        }

        @Override
        public boolean alwaysFloat32() {
            return true;
        }
    }

    /** Lightning/linear attention (MiniMax-01). */
    record Linear(int heads, int headDim) implements StateShape {
        @Override
        public long convElements(int tensorParallel, int speculativeTokens) {
            return 0;
        }

        @Override
        public long recurrentElements(int tensorParallel) {
            return (long) (heads / tensorParallel) * headDim * headDim;
        }

        @Override
        public int convKernel() {
            return 0;
        }
    }

    /**
     * Gated short convolution (LFM2).
     *
     * @param channels width of the convolution
     */
    record ShortConv(int channels, int convKernel) implements StateShape {
        @Override
        public long convElements(int tensorParallel, int speculativeTokens) {
            return (long) (convKernel - 1) * (channels / tensorParallel);
        }

        @Override
        public long recurrentElements(int tensorParallel) {
            return 0;
        }
    }
}
