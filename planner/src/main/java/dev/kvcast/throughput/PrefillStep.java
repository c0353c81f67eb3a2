package dev.kvcast.throughput;

/**
 * A step that holds {@code chunks} equal chunks of prompts and nothing else.
 *
 * @param chunks chunks, 1 or more
 * @param tokens tokens of each
 * @param context cached tokens before each
 * @param last whether they end their prompts
 */
public record PrefillStep(int chunks, double tokens, double context, boolean last) implements StepContent {

    @Override
    public int sequences() {
        return 0;
    }

    @Override
    public double contextTokens(long cap) {
        return 0;
    }

    @Override
    public long sharedTokens() {
        return 0;
    }

    @Override
    public boolean alike() {
        return false;
    }

    @Override
    public double chunkTokens(int index) {
        return tokens;
    }

    @Override
    public double chunkContext(int index) {
        return context;
    }

    @Override
    public boolean chunkIsLast(int index) {
        return last;
    }
}
