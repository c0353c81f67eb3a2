package dev.kvcast.validator.fit;

/**
 * A cell worth measuring.
 *
 * @param cell which
 * @param uncertaintyBefore root mean square deviation of all predicted rates before it is measured, as a share
 * @param uncertaintyAfter the same once it and those suggested before it are measured
 */
public record Suggestion(BenchmarkCell cell, double uncertaintyBefore, double uncertaintyAfter) {}
