package dev.kvcast.model.config;

/** Weights of audio towers; they count as part of the front end. */
final class AudioTowers {

    private AudioTowers() {}

    /** The conformer of Gemma 4's small models. */
    static void addGemma4(ModelOutline model, ConfigFields audio) {}
}
