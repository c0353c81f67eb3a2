package dev.kvcast.throughput;

/**
 * Attention layers of one rank that remember alike. Bytes and operations are sums over the group's layers.
 *
 * @param windowTokens cached tokens that a query sees, {@link Long#MAX_VALUE} for all
 * @param shareable whether sequences with a common prefix read one copy of it (latent attention runs on each alone)
 * @param bytesPerToken bytes read per cached token within the window
 * @param indexBytesPerToken bytes read per cached token of any age, by a sparse layer's token selector
 * @param operationsPerCachedToken of one decoding query with one cached token; 0 for grouped queries, where reading
 *     always takes longer
 * @param operationsPerPair of one prompt token with one earlier token
 * @param indexOperationsPerPair the same of a sparse layer's token selector
 * @param wide whether heads are wider than 256 elements, which the common kernels do not take
 */
public record AttentionGroup(
        long windowTokens,
        boolean shareable,
        double bytesPerToken,
        double indexBytesPerToken,
        double operationsPerCachedToken,
        double operationsPerPair,
        double indexOperationsPerPair,
        boolean wide) {

    /**
     * Pairs of a prompt token and an earlier token that it sees, for {@code tokens} new ones after {@code context}: each
     * sees all before it ({@code m s + m^2 / 2}), or the window once that many are before it.
     */
    double pairs(double tokens, double context) {
        double window = (double) windowTokens;
        if (context + tokens <= window) {
            return tokens * context + tokens * tokens / 2;
        }
        if (!shareable) {
            return tokens * Math.min(context + tokens / 2, window);
        }
        double growing = Math.max(0, Math.min(tokens, window - context));
        return growing * context + growing * growing / 2 + (tokens - growing) * window;
    }
}
