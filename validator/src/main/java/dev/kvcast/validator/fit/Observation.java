package dev.kvcast.validator.fit;

/**
 * A measured cell.
 *
 * @param cell what was measured
 * @param tokensPerSecond the measured rate
 */
public record Observation(BenchmarkCell cell, double tokensPerSecond) {}
