package dev.kvcast.model;

/** Bounds checks shared by the model's records. */
final class Sizes {

    /** No dimension of a real model comes near this; larger values are typing or transcription errors. */
    private static final long LARGEST_DIMENSION = 1L << 31;

    private Sizes() {}

    /** Refuses zero, negative and absurd dimensions, naming the field. */
    static void positive(String what, long value) {
        if (value <= 0 || value >= LARGEST_DIMENSION) {
            throw InputException.badInput(what + " is " + value + "; expected a positive size below 2^31");
        }
    }

    /** Refuses negative and absurd dimensions, naming the field. */
    static void nonNegative(String what, long value) {
        if (value < 0 || value >= LARGEST_DIMENSION) {
            throw InputException.badInput(what + " is " + value + "; expected 0 or a positive size below 2^31");
        }
    }
}
