package dev.kvcast.throughput;

/**
 * Standard deviations of the logarithm of a rate that stay when every coefficient is known: what one run differs from
 * another, and a cell from its run.
 *
 * @param decode of decode rates
 * @param prefill of prefill rates
 * @param shortPrefill of prefill rates of prompts below 2,048 tokens, where set-up and measurement weigh as much
 * @param firstToken of times to the first token that include waiting for others
 */
public record Residuals(double decode, double prefill, double shortPrefill, double firstToken) {}
