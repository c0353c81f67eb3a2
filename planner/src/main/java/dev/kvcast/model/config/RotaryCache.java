package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.Mixer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tables of rotary sines and cosines. vLLM makes one for every distinct rotary width, as long as the longest position,
 * and keeps it on every rank ({@code model_executor/layers/rotary_embedding/base.py}); in 16 bits, for latent attention
 * in 32.
 */
final class RotaryCache {

    private RotaryCache() {}

    /** Bytes of all tables. */
    static long bytes(ConfigFields text, List<DecoderLayer> layers, long positions) {
        double share = text.number(
                "partial_rotary_factor",
                text.object("rope_parameters")
                        .map(rope -> rope.number("partial_rotary_factor", 1.0))
                        .orElse(1.0));
        Set<Integer> widths = new LinkedHashSet<>();
        int latentWidth = 0;
        for (DecoderLayer layer : layers) {
            for (Mixer mixer : layer.mixers()) {
                if (mixer instanceof Mixer.Latent latent) {
                    latentWidth = latent.ropeDim();
                } else {
                    addWidth(mixer, share, widths);
                }
            }
        }
        long elements = widths.stream().mapToLong(Integer::longValue).sum();
        return Math.multiplyExact(positions, 2 * elements + 4L * latentWidth);
    }

    private static void addWidth(Mixer mixer, double share, Set<Integer> widths) {
        AttentionShape shape = null;
        if (mixer instanceof Mixer.Full full) {
            shape = full.shape();
        } else if (mixer instanceof Mixer.Sliding sliding) {
            shape = sliding.shape();
        } else if (mixer instanceof Mixer.Chunked chunked) {
            shape = chunked.shape();
        }
        if (shape != null) {
            widths.add((int) (shape.headDim() * share));
        }
    }
}
