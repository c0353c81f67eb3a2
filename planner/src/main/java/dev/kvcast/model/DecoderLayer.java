package dev.kvcast.model;

import java.util.List;

/**
 * One layer of the decoder.
 *
 * @param mixers token mixers in order; usually one, two where attention and a state run side by side (Falcon-H1), none
 *     for a pure feed-forward layer (Nemotron-H)
 * @param feedForward the channel mixer
 */
public record DecoderLayer(List<Mixer> mixers, FeedForward feedForward) {

    /** Copies the list. */
    public DecoderLayer {
        mixers = List.copyOf(mixers);
    }

    /** A layer with one mixer. */
    public static DecoderLayer of(Mixer mixer, FeedForward feedForward) {
        return new DecoderLayer(List.of(mixer), feedForward);
    }
}
