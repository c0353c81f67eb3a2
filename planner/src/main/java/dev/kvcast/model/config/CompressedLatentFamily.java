package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.DataType;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.Weight.Split;
import java.util.ArrayList;
import java.util.List;

/**
 * DeepSeek V4: shared-key-value attention over a sliding window and, per layer, over one compressed state per
 * {@code compress_ratios[layer]} tokens; experts chosen by a token table in the first layers; four residual streams.
 * Sources: vLLM 0.32 {@code models/deepseek_v4/attention.py}, {@code compressor.py}, {@code nvidia/model.py}.
 */
final class CompressedLatentFamily implements ArchitectureFamily {

    /** Compression ratio whose layers select states with an indexer. */
    private static final int INDEXED_RATIO = 4;

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        List<Integer> ratios = text.sizes("compress_ratios");
        if (ratios.size() < model.layerCount()) {
            throw InputException.badInput("compress_ratios has " + ratios.size() + " entries for num_hidden_layers "
                    + model.layerCount() + "; give one per layer");
        }
        for (int index = 0; index < model.layerCount(); index++) {
            model.weights().enterLayer(index);
            model.addLayer(addLayer(model, Math.max(1, ratios.get(index)), index < text.sizeOr(0, "num_hash_layers")));
        }
        model.addEnds(false, false);
        int streams = text.size("hc_mult");
        addHyperHead(model, streams);
        for (int index = 0; index < text.sizeOr(0, "num_nextn_predict_layers"); index++) {
            addDraft(model, index, streams);
        }
    }

    private static void addDraft(ModelOutline model, int index, int streams) {
        WeightCollector weights = model.weights();
        weights.enterDraft("mtp." + index + ".");
        weights.linear(Component.MTP, "e_proj", model.hiddenSize(), model.hiddenSize(), Split.REPLICATED);
        weights.linear(Component.MTP, "h_proj", model.hiddenSize(), model.hiddenSize(), Split.REPLICATED);
        for (String norm : new String[] {"enorm", "hnorm", "norm"}) {
            weights.vector(Component.NORM, norm, model.hiddenSize());
        }
        addHyperHead(model, streams);
        model.addDraftLayer(addLayer(model, 1, false));
    }

    private static DecoderLayer addLayer(ModelOutline model, int ratio, boolean hashed) {
        List<Mixer> mixers = addAttention(model, ratio);
        FeedForward block = addExperts(model, hashed);
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        weights.vector(Component.NORM, "attn_norm", hidden);
        weights.vector(Component.NORM, "ffn_norm", hidden);
        long streams = model.text().size("hc_mult");
        long mixing = (2 + streams) * streams;
        for (String part : new String[] {"hc_attn_", "hc_ffn_"}) {
            weights.fixed(Component.OTHER, part + "fn", mixing, streams * hidden, DataType.FLOAT32);
            weights.fixed(Component.OTHER, part + "base", mixing, 1, DataType.FLOAT32);
            weights.fixed(Component.OTHER, part + "scale", 3, 1, DataType.FLOAT32);
        }
        return new DecoderLayer(mixers, block);
    }

    private static List<Mixer> addAttention(ModelOutline model, int ratio) {
        ConfigFields text = model.text();
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        int heads = text.size("num_attention_heads");
        int headDim = text.size("head_dim");
        int queryRank = text.size("q_lora_rank");
        int groups = text.size("o_groups");
        int outputRank = text.size("o_lora_rank");
        weights.linear(Component.ATTENTION, "attn.wq_a", queryRank, hidden, Split.REPLICATED);
        weights.vector(Component.NORM, "attn.q_norm", queryRank);
        weights.heads(Component.ATTENTION, "attn.wq_b", heads, headDim, queryRank);
        weights.linear(Component.ATTENTION, "attn.wkv", headDim, hidden, Split.REPLICATED);
        weights.vector(Component.NORM, "attn.kv_norm", headDim);
        weights.linear(
                Component.ATTENTION,
                "attn.wo_a",
                (long) groups * outputRank,
                (long) heads * headDim / groups,
                Split.COLUMN);
        weights.linear(Component.ATTENTION, "attn.wo_b", hidden, (long) groups * outputRank, Split.ROW);
        weights.fixed(Component.ATTENTION, "attn.attn_sink", heads, 1, DataType.FLOAT32);
        int rope = text.size("qk_rope_head_dim");
        List<Mixer> mixers = new ArrayList<>();
        mixers.add(new Mixer.Latent(
                heads,
                headDim - rope,
                rope,
                headDim - rope,
                headDim,
                queryRank,
                Mixer.Indexer.NONE,
                text.size("sliding_window"),
                1));
        if (ratio > 1) {
            addCompressor(model, "attn.compressor.", ratio, headDim);
            Mixer.Indexer indexer = Mixer.Indexer.NONE;
            if (ratio == INDEXED_RATIO) {
                indexer = new Mixer.Indexer(
                        text.size("index_n_heads"), text.size("index_head_dim"), text.size("index_topk"));
                weights.linear(
                        Component.ATTENTION,
                        "attn.indexer.wq_b",
                        (long) indexer.heads() * indexer.headDim(),
                        queryRank,
                        Split.REPLICATED);
                weights.matrix(
                        Component.ATTENTION, "attn.indexer.weights_proj", indexer.heads(), hidden, Split.REPLICATED);
                addCompressor(model, "attn.indexer.compressor.", ratio, indexer.headDim());
            }
            mixers.add(new Mixer.Latent(
                    heads, headDim - rope, rope, headDim - rope, headDim, queryRank, indexer, 0, ratio));
        }
        return mixers;
    }

    /** Overlapping windows (ratio 4) need twice the width. */
    private static void addCompressor(ModelOutline model, String prefix, int ratio, int headDim) {
        long width = (ratio == INDEXED_RATIO ? 2L : 1L) * headDim;
        WeightCollector weights = model.weights();
        weights.fixed(Component.ATTENTION, prefix + "ape", ratio, width, DataType.FLOAT32);
        weights.matrix(Component.ATTENTION, prefix + "wkv", width, model.hiddenSize(), Split.REPLICATED);
        weights.matrix(Component.ATTENTION, prefix + "wgate", width, model.hiddenSize(), Split.REPLICATED);
        weights.vector(Component.NORM, prefix + "norm", headDim);
    }

    private static FeedForward addExperts(ModelOutline model, boolean hashed) {
        ConfigFields text = model.text();
        WeightCollector weights = model.weights();
        int experts = text.size("n_routed_experts");
        int perToken = text.size("num_experts_per_tok");
        int width = text.size("moe_intermediate_size");
        int shared = Math.multiplyExact(width, text.sizeOr(0, "n_shared_experts"));
        long hidden = model.hiddenSize();
        weights.matrix(Component.ROUTER, "ffn.gate", experts, hidden, Split.REPLICATED);
        if (hashed) {
            // int64 in the checkpoint, int32 once loaded.
            weights.fixed(Component.ROUTER, "ffn.gate.tid2eid", model.vocabularySize(), perToken, DataType.INT32);
        } else {
            weights.fixed(Component.ROUTER, "ffn.gate.bias", experts, 1, DataType.FLOAT32);
        }
        FeedForwardBlock.addRoutedTensors(weights, "ffn.", experts, width, hidden, 3);
        if (shared > 0) {
            FeedForwardBlock.addDenseTensors(
                    weights, Component.SHARED_EXPERTS, "ffn.shared_experts.", hidden, shared, 3, false);
        }
        return new FeedForward.Experts(experts, perToken, width, shared, model.hiddenSize(), 3);
    }

    private static void addHyperHead(ModelOutline model, long streams) {
        WeightCollector weights = model.weights();
        weights.fixed(Component.OTHER, "hc_head_fn", streams, streams * model.hiddenSize(), DataType.FLOAT32);
        weights.fixed(Component.OTHER, "hc_head_base", streams, 1, DataType.FLOAT32);
        weights.fixed(Component.OTHER, "hc_head_scale", 1, 1, DataType.FLOAT32);
    }
}
