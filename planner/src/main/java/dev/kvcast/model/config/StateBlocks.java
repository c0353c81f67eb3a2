package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.DataType;
import dev.kvcast.model.StateShape;
import dev.kvcast.model.Weight.Split;
import dev.kvcast.model.WeightScheme;

/**
 * Tensors of recurrent mixers. Sources: vLLM 0.32 {@code layers/mamba/mamba_mixer.py}, {@code mamba_mixer2.py},
 * {@code short_conv.py}, {@code gdn/kimi_gdn_linear_attn.py}, {@code linear/minimax_linear_attn.py}.
 */
final class StateBlocks {

    private StateBlocks() {}

    /** Mamba 1, with the three inner norms that Jamba adds when {@code innerNorms}. */
    static void addMamba1(ModelOutline model, String prefix, StateShape.Mamba1 state, boolean innerNorms) {
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        long inner = state.channels();
        int rank = state.timeStepRank();
        weights.linear(Component.STATE_MIXER, prefix + "in_proj", 2 * inner, hidden, Split.COLUMN);
        weights.matrix(Component.STATE_MIXER, prefix + "conv1d", inner, state.convKernel(), Split.COLUMN);
        weights.vector(Component.STATE_MIXER, prefix + "conv1d.bias", inner, Split.COLUMN, 0);
        weights.linear(Component.STATE_MIXER, prefix + "x_proj", rank + 2L * state.stateSize(), inner, Split.ROW);
        weights.linear(Component.STATE_MIXER, prefix + "dt_proj", inner, rank, Split.COLUMN);
        weights.vector(Component.STATE_MIXER, prefix + "dt_proj.bias", inner, Split.COLUMN, 0);
        weights.matrix(Component.STATE_MIXER, prefix + "A_log", inner, state.stateSize(), Split.COLUMN);
        weights.vector(Component.STATE_MIXER, prefix + "D", inner, Split.COLUMN, 0);
        weights.linear(Component.STATE_MIXER, prefix + "out_proj", hidden, inner, Split.ROW);
        if (innerNorms) {
            weights.vector(Component.NORM, prefix + "dt_layernorm", rank);
            weights.vector(Component.NORM, prefix + "b_layernorm", state.stateSize());
            weights.vector(Component.NORM, prefix + "c_layernorm", state.stateSize());
        }
    }

    /**
     * Mamba 2. The parts of its input projection are listed apart because ranks divide them differently.
     *
     * @param norm whether a gated norm precedes the output projection
     */
    static void addMamba2(
            ModelOutline model, String prefix, StateShape.Mamba2 state, boolean convBias, boolean bias, boolean norm) {
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        long inner = (long) state.heads() * state.headDim();
        long states = 2L * state.stateSize();
        weights.linear(Component.STATE_MIXER, prefix + "in_proj", 2 * inner, hidden, Split.COLUMN);
        weights.heads(Component.STATE_MIXER, prefix + "in_proj", state.groups(), states, hidden);
        weights.heads(Component.STATE_MIXER, prefix + "in_proj", state.heads(), 1, hidden);
        long channels = inner + states * state.groups();
        weights.matrix(Component.STATE_MIXER, prefix + "conv1d", channels, state.convKernel(), Split.COLUMN);
        if (convBias) {
            weights.vector(Component.STATE_MIXER, prefix + "conv1d.bias", channels, Split.COLUMN, 0);
        }
        for (String name : new String[] {"A_log", "D", "dt_bias"}) {
            weights.vector(Component.STATE_MIXER, prefix + name, state.heads(), Split.COLUMN, 0);
        }
        if (norm) {
            weights.vector(Component.NORM, prefix + "norm", inner, Split.COLUMN, 0);
        }
        weights.linear(Component.STATE_MIXER, prefix + "out_proj", hidden, inner, Split.ROW);
        if (bias) {
            weights.vector(
                    Component.STATE_MIXER, prefix + "in_proj.bias", inner + channels + state.heads(), Split.COLUMN, 0);
            weights.vector(Component.STATE_MIXER, prefix + "out_proj.bias", hidden);
        }
    }

    /** Gated short convolution. */
    static void addShortConv(ModelOutline model, String prefix, StateShape.ShortConv state, boolean bias) {
        WeightCollector weights = model.weights();
        long width = state.channels();
        weights.linear(Component.STATE_MIXER, prefix + "in_proj", 3 * width, model.hiddenSize(), Split.COLUMN);
        weights.matrix(Component.STATE_MIXER, prefix + "conv", width, state.convKernel(), Split.COLUMN);
        weights.linear(Component.STATE_MIXER, prefix + "out_proj", model.hiddenSize(), width, Split.ROW);
        if (bias) {
            weights.vector(Component.STATE_MIXER, prefix + "in_proj.bias", 3 * width, Split.COLUMN, 0);
            weights.vector(Component.STATE_MIXER, prefix + "conv.bias", width, Split.COLUMN, 0);
            weights.vector(Component.STATE_MIXER, prefix + "out_proj.bias", model.hiddenSize());
        }
    }

    /**
     * Kimi delta attention.
     *
     * @param fullRankGate whether the output gate is one full projection instead of two low-rank ones
     */
    static void addKimiDelta(ModelOutline model, String prefix, StateShape.KimiDelta state, boolean fullRankGate) {
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        long width = (long) state.heads() * state.headDim();
        for (String name : new String[] {"q", "k", "v"}) {
            weights.linear(Component.STATE_MIXER, prefix + name + "_proj", width, hidden, Split.COLUMN);
            weights.add(
                    Component.STATE_MIXER,
                    prefix + name + "_conv1d",
                    width,
                    state.convKernel(),
                    1,
                    Split.COLUMN,
                    0,
                    false,
                    new WeightScheme.Fixed(DataType.FLOAT32));
        }
        weights.linear(Component.STATE_MIXER, prefix + "f_a_proj", state.headDim(), hidden, Split.REPLICATED);
        weights.linear(Component.STATE_MIXER, prefix + "f_b_proj", width, state.headDim(), Split.COLUMN);
        weights.linear(Component.STATE_MIXER, prefix + "b_proj", state.heads(), hidden, Split.COLUMN);
        if (fullRankGate) {
            weights.linear(Component.STATE_MIXER, prefix + "g_proj", width, hidden, Split.COLUMN);
        } else {
            weights.linear(Component.STATE_MIXER, prefix + "g_a_proj", state.headDim(), hidden, Split.REPLICATED);
            weights.linear(Component.STATE_MIXER, prefix + "g_b_proj", width, state.headDim(), Split.COLUMN);
        }
        weights.vector(Component.STATE_MIXER, prefix + "dt_bias", width, Split.COLUMN, 0);
        weights.vector(Component.STATE_MIXER, prefix + "A_log", state.heads(), Split.COLUMN, 0);
        weights.vector(Component.NORM, prefix + "o_norm", state.headDim());
        weights.linear(Component.STATE_MIXER, prefix + "o_proj", hidden, width, Split.ROW);
    }

    /** Lightning attention. */
    static void addLinear(ModelOutline model, String prefix, StateShape.Linear state) {
        WeightCollector weights = model.weights();
        long width = (long) state.heads() * state.headDim();
        weights.linear(Component.STATE_MIXER, prefix + "qkv_proj", 3 * width, model.hiddenSize(), Split.COLUMN);
        weights.linear(Component.STATE_MIXER, prefix + "output_gate", width, model.hiddenSize(), Split.COLUMN);
        weights.vector(Component.NORM, prefix + "norm", width, Split.COLUMN, 0);
        weights.linear(Component.STATE_MIXER, prefix + "out_proj", model.hiddenSize(), width, Split.ROW);
    }
}
