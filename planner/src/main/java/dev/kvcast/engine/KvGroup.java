package dev.kvcast.engine;

/**
 * Layers that share one block table.
 *
 * @param kind what its layers remember
 * @param layers layers in the group, padding slots not counted
 * @param blockSize tokens one block covers
 * @param pageBytes bytes of one block in one layer
 * @param rule how many blocks one request holds
 */
public record KvGroup(Kind kind, int layers, int blockSize, long pageBytes, BlockRule rule) {

    /** What a group's layers remember. */
    public enum Kind {
        FULL("full"),
        SLIDING("sliding"),
        CHUNKED("chunked"),
        LATENT("latent"),
        STATE("state"),
        CROSS("cross");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The word used in output. */
        public String label() {
            return label;
        }
    }
}
