package dev.kvcast.model;

/** The channel-mixing half of a decoder layer. */
public sealed interface FeedForward {

    /** Matrices of one expert or dense block: 3 for gated blocks (gate, up, down), 2 for plain ones (up, down). */
    int matrices();

    /** No feed-forward block. */
    record None() implements FeedForward {
        @Override
        public int matrices() {
            return 0;
        }
    }

    /**
     * One dense block.
     *
     * @param intermediate inner width
     * @param matrices 3 when gated, 2 when not
     */
    record Dense(int intermediate, int matrices) implements FeedForward {
        /** Checks the width. */
        public Dense {
            Sizes.positive("intermediate_size", intermediate);
        }
    }

    /**
     * A mixture of experts.
     *
     * @param experts routed experts
     * @param expertsPerToken routed experts that each token uses
     * @param intermediate inner width of one routed expert
     * @param sharedIntermediate total inner width of the always-used experts, 0 without any
     * @param inputWidth width the routed experts work on: the hidden size, or less where a latent projection surrounds
     *     them
     * @param matrices 3 when gated, 2 when not
     */
    record Experts(
            int experts, int expertsPerToken, int intermediate, int sharedIntermediate, int inputWidth, int matrices)
            implements FeedForward {
        /** Checks the sizes. */
        public Experts {
            Sizes.positive("number of experts", experts);
            Sizes.positive("experts per token", expertsPerToken);
            Sizes.positive("expert intermediate size", intermediate);
            Sizes.nonNegative("shared expert intermediate size", sharedIntermediate);
            Sizes.positive("expert input width", inputWidth);
            if (expertsPerToken > experts) {
                throw InputException.badInput("num_experts_per_tok " + expertsPerToken
                        + " exceeds the number of experts " + experts + "; check config.json");
            }
        }
    }
}
