package dev.kvcast.throughput;

/**
 * A step in which {@code sequences} requests of one length decode.
 *
 * @param sequences requests, 1 or more
 * @param context cached tokens of each
 * @param sharedTokens leading tokens that all share, at most {@code context}
 * @param alike whether their prompts are the same
 */
public record DecodeStep(int sequences, double context, long sharedTokens, boolean alike) implements DecodeOnly {

    @Override
    public double contextTokens(long cap) {
        return sequences * Math.min(context, (double) cap);
    }
}
