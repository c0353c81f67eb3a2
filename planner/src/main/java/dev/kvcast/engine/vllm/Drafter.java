package dev.kvcast.engine.vllm;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * What a separate draft model adds to its target: layers that cache and resident weights. A checkpoint's own draft module
 * is not meant; that is part of the model.
 *
 * @param method speculative method
 * @param target start of the target's {@code model_type}, empty for any
 * @param draft text the draft model's name holds, empty for any
 * @param full layers with full attention
 * @param sliding layers with a sliding window
 * @param window that window in tokens
 * @param kvHeads key/value heads of a layer, 0 for the target's
 * @param headDim width of a head, 0 for the target's
 * @param copies decoder layers of the target's own kind, of which only the window caches
 * @param weightsGib resident weights in GiB beside the copies, over all ranks
 * @param divided whether ranks divide the weights
 * @param known whether boots or a published config show all this
 */
record Drafter(
        String method,
        String target,
        String draft,
        int full,
        int sliding,
        int window,
        int kvHeads,
        int headDim,
        int copies,
        double weightsGib,
        boolean divided,
        boolean known) {

    /** No draft model. */
    static final Drafter NONE = new Drafter("", "", "", 0, 0, 0, 0, 0, 0, 0, false, true);

    /** Query heads do not matter to a cache; a multiple of the stored ones will do. */
    private static final int QUERY_FACTOR = 4;

    /** The caching layers it adds to a target. */
    List<DecoderLayer> layers(ModelConfig model) {
        List<DecoderLayer> added = new ArrayList<>();
        DecoderLayer last = model.layers().get(model.layers().size() - 1);
        for (int i = 0; i < copies; i++) {
            added.add(windowOnly(last));
        }
        if (full + sliding > 0) {
            AttentionShape shape = shape(model);
            for (int i = 0; i < sliding; i++) {
                added.add(DecoderLayer.of(new Mixer.Sliding(shape, window), new FeedForward.None()));
            }
            for (int i = 0; i < full; i++) {
                added.add(DecoderLayer.of(new Mixer.Full(shape), new FeedForward.None()));
            }
        }
        return added;
    }

    private static DecoderLayer windowOnly(DecoderLayer layer) {
        List<Mixer> windows = layer.mixers().stream()
                .filter(mixer -> mixer instanceof Mixer.Latent latent && latent.windowTokens() > 0)
                .map(Drafter::plain)
                .toList();
        return new DecoderLayer(windows.isEmpty() ? layer.mixers() : windows, layer.feedForward());
    }

    /** The same window without compression and index. */
    private static Mixer plain(Mixer mixer) {
        Mixer.Latent latent = (Mixer.Latent) mixer;
        return new Mixer.Latent(
                latent.queryHeads(),
                latent.latentRank(),
                latent.ropeDim(),
                latent.nopeDim(),
                latent.valueDim(),
                latent.queryRank(),
                Mixer.Indexer.NONE,
                latent.windowTokens(),
                1);
    }

    private AttentionShape shape(ModelConfig model) {
        AttentionShape own = new AttentionShape(QUERY_FACTOR, 1, 128, 128);
        for (DecoderLayer layer : model.layers()) {
            for (Mixer mixer : layer.mixers()) {
                if (mixer instanceof Mixer.Full attention) {
                    own = attention.shape();
                } else if (mixer instanceof Mixer.Sliding attention) {
                    own = attention.shape();
                }
            }
        }
        int heads = kvHeads > 0 ? kvHeads : own.kvHeads();
        return AttentionShape.of(QUERY_FACTOR * heads, heads, headDim > 0 ? headDim : own.headDim());
    }
}
