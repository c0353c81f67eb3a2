package dev.kvcast.throughput;

/**
 * Predicted speed of one prompt on an idle server.
 *
 * @param tokensPerSecond prompt tokens processed per second
 * @param coldSeconds time to the first token when nothing is cached
 * @param warmSeconds time to the first token when the whole prompt was seen before; the cold one without prefix caching
 */
public record PrefillSpeed(Forecast tokensPerSecond, Forecast coldSeconds, Forecast warmSeconds) {}
