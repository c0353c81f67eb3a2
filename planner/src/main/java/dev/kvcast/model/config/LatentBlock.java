package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.Weight.Split;

/** Tensors of multi-head latent attention (DeepSeek V2 and later), after vLLM's {@code deepseek_v2.py}. */
final class LatentBlock {

    private LatentBlock() {}

    /** The mixer that the config's low-rank fields describe. */
    static Mixer.Latent shape(ModelOutline model, Mixer.Indexer indexer) {
        ConfigFields text = model.text();
        int heads = text.size("num_attention_heads");
        return new Mixer.Latent(
                heads,
                text.size("kv_lora_rank"),
                text.size("qk_rope_head_dim"),
                text.size("qk_nope_head_dim"),
                text.size("v_head_dim"),
                text.sizeOr(0, "q_lora_rank"),
                indexer,
                0,
                1);
    }

    /** Query, latent and output projections. */
    static void add(ModelOutline model, String prefix, Mixer.Latent shape) {
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        int heads = shape.queryHeads();
        long queryWidth = (long) shape.nopeDim() + shape.ropeDim();
        if (shape.queryRank() > 0) {
            weights.linear(Component.ATTENTION, prefix + "q_a_proj", shape.queryRank(), hidden, Split.REPLICATED);
            weights.vector(Component.NORM, prefix + "q_a_layernorm", shape.queryRank());
            weights.heads(Component.ATTENTION, prefix + "q_b_proj", heads, queryWidth, shape.queryRank());
        } else {
            weights.heads(Component.ATTENTION, prefix + "q_proj", heads, queryWidth, hidden);
        }
        weights.linear(
                Component.ATTENTION, prefix + "kv_a_proj_with_mqa", shape.storedElements(), hidden, Split.REPLICATED);
        weights.vector(Component.NORM, prefix + "kv_a_layernorm", shape.latentRank());
        weights.heads(
                Component.ATTENTION,
                prefix + "kv_b_proj",
                heads,
                (long) shape.nopeDim() + shape.valueDim(),
                shape.latentRank());
        // Absorbed W_UK and W_UV are views of kv_b_proj unless it is quantized (vLLM mla_attention.py).
        weights.heads(
                Component.DEQUANTIZED,
                prefix + "kv_b_proj",
                heads,
                (long) shape.nopeDim() + shape.valueDim(),
                shape.latentRank());
        weights.linear(Component.ATTENTION, prefix + "o_proj", hidden, (long) heads * shape.valueDim(), Split.ROW);
        if (shape.indexer().present()) {
            addIndexer(model, prefix + "indexer.", shape);
        }
    }

    private static void addIndexer(ModelOutline model, String prefix, Mixer.Latent shape) {
        WeightCollector weights = model.weights();
        Mixer.Indexer indexer = shape.indexer();
        long hidden = model.hiddenSize();
        weights.linear(
                Component.ATTENTION,
                prefix + "wq_b",
                (long) indexer.heads() * indexer.headDim(),
                shape.queryRank(),
                Split.REPLICATED);
        // vLLM loads these two without quantization whatever the checkpoint says (deepseek_v32/attention.py).
        weights.matrix(Component.ATTENTION, prefix + "wk", indexer.headDim(), hidden, Split.REPLICATED);
        weights.matrix(Component.ATTENTION, prefix + "weights_proj", indexer.heads(), hidden, Split.REPLICATED);
        weights.vector(Component.NORM, prefix + "k_norm", indexer.headDim());
        weights.vector(Component.NORM, prefix + "k_norm.bias", indexer.headDim());
    }
}
