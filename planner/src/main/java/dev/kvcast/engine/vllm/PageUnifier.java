package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.KvSpec.Attention;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the pages of different layers equal, so that one pool can serve them all: {@code unify_kv_cache_spec_page_size}
 * in vLLM's {@code v1/core/kv_cache_utils.py}. Attention layers get larger blocks where that comes out even, and padding
 * otherwise; states are always padded.
 */
final class PageUnifier {

    private PageUnifier() {}

    /** The layers with equal pages as releases since 0.25 make them. */
    static Optional<List<KvSpec>> unify(List<KvSpec> layers) {
        return unify(layers, false);
    }

    /**
     * The layers with equal pages, or empty where a latent layer's page can be neither enlarged nor padded.
     *
     * @param enlargesUneven whether a page that does not divide the largest gets the largest block that fits before it is
     *     padded, as boots before 0.25 show; later ones only pad it
     */
    static Optional<List<KvSpec>> unify(List<KvSpec> layers, boolean enlargesUneven) {
        long largest = 0;
        for (KvSpec spec : layers) {
            largest = Math.max(largest, spec.pageBytes());
        }
        List<KvSpec> unified = new ArrayList<>(layers.size());
        for (KvSpec spec : layers) {
            if (spec.pageBytes() == largest) {
                unified.add(spec);
            } else if (spec instanceof KvSpec.State) {
                unified.add(spec.withPaddedPage(largest));
            } else if (largest % spec.pageBytes() == 0) {
                unified.add(spec.withBlockSize(Math.toIntExact(spec.blockSize() * (largest / spec.pageBytes()))));
            } else if (spec instanceof Attention attention && !attention.latent()) {
                long factor = enlargesUneven ? largest / spec.pageBytes() : 1;
                unified.add(spec.withBlockSize(Math.toIntExact(spec.blockSize() * factor))
                        .withPaddedPage(largest));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(unified);
    }
}
