package dev.kvcast.throughput;

import dev.kvcast.engine.Kernels;
import dev.kvcast.engine.Parallelism;
import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;

/** Sorts a model's attention layers into groups that remember alike. */
final class AttentionCounter {

    /** Kernels of one layer of grouped-query attention, and of latent attention. */
    static final int KERNELS = 10;

    static final int LATENT_KERNELS = 16;

    /** Heads wider than this have no kernel of FlashAttention's. */
    private static final int WIDEST_COMMON_HEAD = 256;

    /** An index key is stored in bytes with a 4-byte scale per 128 elements. */
    private static final double INDEX_BYTES_PER_ELEMENT = 1 + 4.0 / 128;

    private final Kernels kernels;
    private final double ranks;
    private final double contextRanks;
    private final List<AttentionGroup> groups = new ArrayList<>();

    private AttentionCounter(Kernels kernels, Parallelism parallelism) {
        this.kernels = kernels;
        this.ranks = parallelism.tensor();
        this.contextRanks = parallelism.decodeContext();
    }

    static List<AttentionGroup> count(ModelConfig model, Kernels kernels, Parallelism parallelism) {
        AttentionCounter counter = new AttentionCounter(kernels, parallelism);
        for (DecoderLayer layer : model.layers()) {
            layer.mixers().forEach(counter::add);
        }
        return counter.groups;
    }

    private void add(Mixer mixer) {
        if (mixer instanceof Mixer.Full full) {
            merge(grouped(full.shape(), Long.MAX_VALUE));
        } else if (mixer instanceof Mixer.Sliding sliding) {
            merge(grouped(sliding.shape(), sliding.windowTokens()));
        } else if (mixer instanceof Mixer.Chunked chunked) {
            merge(grouped(chunked.shape(), chunked.chunkTokens()));
        } else if (mixer instanceof Mixer.Shared shared) {
            merge(grouped(shared.shape(), shared.windowTokens() == 0 ? Long.MAX_VALUE : shared.windowTokens()));
        } else if (mixer instanceof Mixer.Latent latent) {
            merge(latent(latent));
        }
    }

    /** Every rank reads the keys and values of its heads once, however many query heads share them. */
    private AttentionGroup grouped(AttentionShape shape, long window) {
        double width = (double) shape.headDim() + shape.valueDim();
        double bytes = shape.kvHeads() * width * kernels.cacheBytesPerElement();
        return new AttentionGroup(
                window,
                true,
                bytes / Math.min(ranks, shape.kvHeads()) / contextRanks,
                0,
                0,
                2 * shape.queryHeads() * width / ranks,
                0,
                shape.headDim() > WIDEST_COMMON_HEAD);
    }

    /** Latent caches are not divided over ranks; decoding multiplies each query head with the whole latent vector. */
    private AttentionGroup latent(Mixer.Latent latent) {
        Mixer.Indexer indexer = latent.indexer();
        double every = latent.tokensPerState();
        double bytes = latent.storedElements() * kernels.cacheBytesPerElement() / every;
        long window = latent.windowTokens() > 0 ? latent.windowTokens() : Long.MAX_VALUE;
        if (indexer.present() && indexer.topK() > 0) {
            window = Math.min(window, indexer.topK());
        }
        double decode = 2.0 * latent.queryHeads() * (2.0 * latent.latentRank() + latent.ropeDim()) / every;
        double width = (double) latent.nopeDim() + latent.ropeDim() + latent.valueDim();
        boolean indexed = indexer.present();
        return new AttentionGroup(
                window,
                false,
                bytes / contextRanks,
                indexed ? indexer.headDim() * INDEX_BYTES_PER_ELEMENT / contextRanks : 0,
                decode / ranks,
                2 * latent.queryHeads() * width / ranks,
                indexed ? 2.0 * indexer.heads() * indexer.headDim() : 0,
                false);
    }

    private void merge(AttentionGroup more) {
        for (int i = 0; i < groups.size(); i++) {
            AttentionGroup group = groups.get(i);
            if (group.windowTokens() == more.windowTokens()
                    && group.shareable() == more.shareable()
                    && group.wide() == more.wide()) {
                groups.set(i, sum(group, more));
                return;
            }
        }
        groups.add(more);
    }

    private static AttentionGroup sum(AttentionGroup one, AttentionGroup other) {
        return new AttentionGroup(
                one.windowTokens(),
                one.shareable(),
                one.bytesPerToken() + other.bytesPerToken(),
                one.indexBytesPerToken() + other.indexBytesPerToken(),
                one.operationsPerCachedToken() + other.operationsPerCachedToken(),
                one.operationsPerPair() + other.operationsPerPair(),
                one.indexOperationsPerPair() + other.indexOperationsPerPair(),
                one.wide());
    }
}
