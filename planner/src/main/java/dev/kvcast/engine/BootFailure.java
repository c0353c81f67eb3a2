package dev.kvcast.engine;

/**
 * Why the engine would refuse to start.
 *
 * @param cause short name of the check that fails
 * @param message what the engine says, with the predicted numbers
 * @param largestModelLen longest {@code max_model_len} that would have started, 0 when none or not applicable
 */
public record BootFailure(String cause, String message, long largestModelLen) {}
