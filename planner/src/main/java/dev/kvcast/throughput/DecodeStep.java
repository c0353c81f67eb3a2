package dev.kvcast.throughput;

/**
 * A step in which {@code sequences} requests of one length decode.
 *
 * @param sequences requests, 1 or more
 * @param context cached tokens of each
 * @param sharedTokens leading tokens that all share, at most {@code context}
 * @param alike whether their prompts are the same
 */
public record DecodeStep(int sequences, double context, long sharedTokens, boolean alike) implements StepContent {

    @Override
    public double contextTokens(long cap) {
        return sequences * Math.min(context, (double) cap);
    }

    @Override
    public int chunks() {
        return 0;
    }

    @Override
    public double chunkTokens(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    @Override
    public double chunkContext(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    @Override
    public boolean chunkIsLast(int index) {
        throw new IndexOutOfBoundsException(index);
    }
}
