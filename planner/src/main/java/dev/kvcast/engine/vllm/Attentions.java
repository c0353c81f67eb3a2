package dev.kvcast.engine.vllm;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import java.util.function.Predicate;

/** What kinds of token mixers a model has. */
final class Attentions {

    private Attentions() {}

    /** Whether any layer keeps a recurrent state. */
    static boolean recurrent(ModelConfig model) {
        return any(model, mixer -> mixer instanceof Mixer.Recurrent);
    }

    /** Whether no layer attends at all. */
    static boolean attentionFree(ModelConfig model) {
        return recurrent(model) && !any(model, mixer -> !(mixer instanceof Mixer.Recurrent));
    }

    /** Whether the decoder reads an encoder. */
    static boolean encoderDecoder(ModelConfig model) {
        return any(model, mixer -> mixer instanceof Mixer.Cross);
    }

    /** Whether attention runs in both directions and stores nothing. */
    static boolean encoderOnly(ModelConfig model) {
        return any(model, mixer -> mixer instanceof Mixer.EncoderOnly);
    }

    /** Whether some layer keeps a compressed latent. */
    static boolean latent(ModelConfig model) {
        return any(model, mixer -> mixer instanceof Mixer.Latent);
    }

    /** Whether latents are compressed further behind a window (DeepSeek-V4). */
    static boolean compressed(ModelConfig model) {
        return any(model, mixer -> mixer instanceof Mixer.Latent latent && latent.windowTokens() > 0);
    }

    /** Whether every layer attends to everything before it. */
    static boolean fullOnly(ModelConfig model) {
        return !any(model, mixer -> !(mixer instanceof Mixer.Full));
    }

    @SuppressWarnings("ReferenceEquality") // equal layers in a row are one object; comparing them would cost more
    private static boolean any(ModelConfig model, Predicate<Mixer> wanted) {
        DecoderLayer before = null;
        for (DecoderLayer layer : model.layers()) {
            if (layer != before) {
                for (Mixer mixer : layer.mixers()) {
                    if (wanted.test(mixer)) {
                        return true;
                    }
                }
            }
            before = layer;
        }
        return false;
    }

    /** Query heads that one mixer divides over ranks, 0 for a recurrent one. */
    static int queryHeads(Mixer mixer) {
        return mixer instanceof Mixer.Latent latent ? latent.queryHeads() : shapeHeads(mixer, true);
    }

    /** Key/value heads of one mixer, 0 where it has none of its own kind. */
    static int kvHeads(Mixer mixer) {
        return shapeHeads(mixer, false);
    }

    private static int shapeHeads(Mixer mixer, boolean query) {
        AttentionShape shape = null;
        if (mixer instanceof Mixer.Full full) {
            shape = full.shape();
        } else if (mixer instanceof Mixer.Sliding sliding) {
            shape = sliding.shape();
        } else if (mixer instanceof Mixer.Chunked chunked) {
            shape = chunked.shape();
        } else if (mixer instanceof Mixer.Shared shared) {
            shape = shared.shape();
        } else if (mixer instanceof Mixer.Cross cross) {
            shape = cross.shape();
        } else if (mixer instanceof Mixer.EncoderOnly encoder) {
            shape = encoder.shape();
        }
        if (shape == null) {
            return 0;
        }
        return query ? shape.queryHeads() : shape.kvHeads();
    }
}
