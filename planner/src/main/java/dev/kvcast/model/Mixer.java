package dev.kvcast.model;

/**
 * How one decoder layer mixes tokens, which decides what it must remember of the past. Attention kinds remember
 * something of every token (or of a window of tokens); {@link Recurrent} remembers a fixed state per sequence.
 */
public sealed interface Mixer {

    /** Softmax attention over every earlier token. */
    record Full(AttentionShape shape) implements Mixer {}

    /**
     * Softmax attention over the last {@code windowTokens} tokens.
     *
     * @param windowTokens tokens a query sees, itself included
     */
    record Sliding(AttentionShape shape, int windowTokens) implements Mixer {
        /** Checks the window. */
        public Sliding {
            Sizes.positive("sliding_window", windowTokens);
        }
    }

    /**
     * Softmax attention within the current chunk of {@code chunkTokens} tokens (Llama 4's local layers).
     *
     * @param chunkTokens chunk length in tokens
     */
    record Chunked(AttentionShape shape, int chunkTokens) implements Mixer {
        /** Checks the chunk. */
        public Chunked {
            Sizes.positive("attention_chunk_size", chunkTokens);
        }
    }

    /**
     * Multi-head latent attention: one compressed vector per token stands for all heads.
     *
     * @param queryHeads query heads
     * @param latentRank elements of the compressed key/value vector ({@code kv_lora_rank})
     * @param ropeDim rotary elements stored beside it ({@code qk_rope_head_dim})
     * @param nopeDim non-rotary elements of one query head ({@code qk_nope_head_dim})
     * @param valueDim elements of one value head ({@code v_head_dim})
     * @param queryRank low rank of the query projection, 0 where queries are projected directly
     * @param indexer the sparse-attention indexer's own cache
     * @param windowTokens sliding window over the latent cache, 0 where it sees everything
     * @param tokensPerState tokens that one stored vector stands for, 1 except in compressed layers
     */
    record Latent(
            int queryHeads,
            int latentRank,
            int ropeDim,
            int nopeDim,
            int valueDim,
            int queryRank,
            Indexer indexer,
            int windowTokens,
            int tokensPerState)
            implements Mixer {
        /** Checks the sizes. */
        public Latent {
            Sizes.positive("attention heads", queryHeads);
            Sizes.positive("kv_lora_rank", latentRank);
            Sizes.nonNegative("qk_rope_head_dim", ropeDim);
            Sizes.nonNegative("qk_nope_head_dim", nopeDim);
            Sizes.nonNegative("v_head_dim", valueDim);
            Sizes.nonNegative("q_lora_rank", queryRank);
            Sizes.nonNegative("sliding_window", windowTokens);
            Sizes.positive("tokens per state", tokensPerState);
        }

        /** Elements stored per state: the latent vector and its rotary part. */
        public int storedElements() {
            return latentRank + ropeDim;
        }
    }

    /**
     * The token selector of sparse latent attention, which keeps one small key per token of its own.
     *
     * @param heads index heads, 0 where the layer has no indexer
     * @param headDim elements of one index key
     * @param topK tokens selected per query
     */
    record Indexer(int heads, int headDim, int topK) {
        /** No indexer. */
        public static final Indexer NONE = new Indexer(0, 0, 0);

        /** Whether the layer keeps index keys. */
        public boolean present() {
            return heads > 0;
        }
    }

    /** A fixed-size state per sequence (Mamba, gated delta net, short convolution, ...). */
    record Recurrent(StateShape state) implements Mixer {}

    /**
     * Attention that reads another layer's keys and values and stores none.
     *
     * @param shape heads of the layer's own queries and of the cache it reads
     * @param windowTokens window over it, 0 where it sees everything
     */
    record Shared(AttentionShape shape, int windowTokens) implements Mixer {}

    /** Attention over the encoder's output; stored once per request. */
    record Cross(AttentionShape shape) implements Mixer {}

    /** Bidirectional attention inside an encoder: nothing is stored. */
    record EncoderOnly(AttentionShape shape) implements Mixer {}
}
