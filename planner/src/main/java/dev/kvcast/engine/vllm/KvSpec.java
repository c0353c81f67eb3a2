package dev.kvcast.engine.vllm;

import java.util.Objects;

/**
 * What one layer asks of the KV cache: vLLM's {@code KVCacheSpec} classes ({@code v1/kv_cache_interface.py}). Sizes are
 * per tensor-parallel rank.
 */
public sealed interface KvSpec {

    /** Tokens one block covers. */
    int blockSize();

    /** Bytes of one block in this layer, padding included. */
    long pageBytes();

    /** The same layer with another block size. */
    KvSpec withBlockSize(int tokens);

    /** The same layer with its page padded to {@code bytes}. */
    KvSpec withPaddedPage(long bytes);

    /** Whether both layers can share one KV-cache group without losing what either needs. */
    boolean mergesWith(KvSpec other);

    /** Whether both always need the same number of token slots, whatever their page sizes. */
    boolean sameTypeAs(KvSpec other);

    /** How far back an attention layer keeps tokens. */
    enum Reach {
        ALL,
        WINDOW,
        CHUNK
    }

    /**
     * Heads stored per token.
     *
     * @param heads stored heads on this rank; 1 for a latent cache
     * @param keyDim elements of a key head (of the latent vector)
     * @param valueDim elements of a value head, 0 for a latent cache
     * @param dtype element type
     */
    record HeadLayout(int heads, int keyDim, int valueDim, KvCacheDtype dtype) {
        /** Bytes of one token in one layer. */
        public long tokenBytes() {
            return heads * dtype.headBytes(keyDim, valueDim);
        }
    }

    /**
     * An attention layer.
     *
     * @param reach how far back it keeps tokens
     * @param reachTokens window or chunk length; for {@link Reach#ALL} the window it computes with, 0 without one
     * @param retainedTokens tokens kept below the window for multi-module drafting
     * @param latent whether one vector stands for all heads (MLA)
     * @param heads what is stored per token
     * @param blockSize tokens per block
     * @param tokensPerState tokens one stored state stands for
     * @param alignment page alignment in bytes, 1 without
     * @param paddedPage forced page size, 0 without
     */
    record Attention(
            Reach reach,
            long reachTokens,
            long retainedTokens,
            boolean latent,
            HeadLayout heads,
            int blockSize,
            int tokensPerState,
            int alignment,
            long paddedPage)
            implements KvSpec {

        /** Full attention over plain heads. */
        public static Attention full(HeadLayout heads, int blockSize) {
            return new Attention(Reach.ALL, 0, 0, false, heads, blockSize, 1, 1, 0);
        }

        /** A sliding window over plain heads. */
        public static Attention sliding(HeadLayout heads, int blockSize, long windowTokens) {
            return new Attention(Reach.WINDOW, windowTokens, 0, false, heads, blockSize, 1, 1, 0);
        }

        /** Bytes of one block before padding. */
        public long unpaddedPageBytes() {
            long bytes = heads.tokenBytes() * blockSize / tokensPerState;
            return (bytes + alignment - 1) / alignment * alignment;
        }

        @Override
        public long pageBytes() {
            return paddedPage > 0 ? paddedPage : unpaddedPageBytes();
        }

        @Override
        public Attention withBlockSize(int tokens) {
            return new Attention(
                    reach, reachTokens, retainedTokens, latent, heads, tokens, tokensPerState, alignment, paddedPage);
        }

        @Override
        public Attention withPaddedPage(long bytes) {
            return new Attention(
                    reach, reachTokens, retainedTokens, latent, heads, blockSize, tokensPerState, alignment, bytes);
        }

        /** The same layer keeping every token, as the hybrid manager's fallbacks store it. */
        public Attention promoted(int tokens) {
            long padded = paddedPage == 0 ? 0 : Math.max(paddedPage, unpaddedPageBytes() * tokens / blockSize);
            return new Attention(Reach.ALL, reachTokens, 0, latent, heads, tokens, tokensPerState, alignment, padded);
        }

        @Override
        public boolean mergesWith(KvSpec other) {
            if (!(other instanceof Attention that) || reach != that.reach || latent != that.latent) {
                return false;
            }
            boolean sameCells = heads.equals(that.heads)
                    && blockSize == that.blockSize
                    && tokensPerState == that.tokensPerState
                    && pageBytes() == that.pageBytes();
            if (reach != Reach.ALL) {
                return sameCells && reachTokens == that.reachTokens && retainedTokens == that.retainedTokens;
            }
            return sameCells && (reachTokens == 0 || that.reachTokens == 0 || reachTokens == that.reachTokens);
        }

        @Override
        public boolean sameTypeAs(KvSpec other) {
            return other instanceof Attention that
                    && blockSize == that.blockSize
                    && reach == that.reach
                    && (reach == Reach.ALL || (reachTokens == that.reachTokens && latent == that.latent));
        }
    }

    /**
     * A recurrent layer. One block is one state snapshot.
     *
     * @param shapeKey distinguishes state layouts of equal size
     * @param stateBytes bytes of one state
     * @param blockSize tokens between snapshots
     * @param speculativeBlocks extra snapshots for draft tokens
     * @param paddedPage forced page size, 0 without
     */
    record State(String shapeKey, long stateBytes, int blockSize, int speculativeBlocks, long paddedPage)
            implements KvSpec {

        /** Requires a key. */
        public State {
            Objects.requireNonNull(shapeKey, "shapeKey");
        }

        @Override
        public long pageBytes() {
            return paddedPage > 0 ? paddedPage : stateBytes;
        }

        @Override
        public State withBlockSize(int tokens) {
            return new State(shapeKey, stateBytes, tokens, speculativeBlocks, paddedPage);
        }

        @Override
        public State withPaddedPage(long bytes) {
            return new State(shapeKey, stateBytes, blockSize, speculativeBlocks, bytes);
        }

        @Override
        public boolean mergesWith(KvSpec other) {
            return equals(other);
        }

        @Override
        public boolean sameTypeAs(KvSpec other) {
            return other instanceof State that
                    && blockSize == that.blockSize
                    && speculativeBlocks == that.speculativeBlocks
                    && pageBytes() == that.pageBytes();
        }
    }

    /**
     * Attention over an encoder's output.
     *
     * @param encoderTokens most encoder tokens of one request
     */
    record Cross(HeadLayout heads, int blockSize, long encoderTokens, long paddedPage) implements KvSpec {
        @Override
        public long pageBytes() {
            return paddedPage > 0 ? paddedPage : heads.tokenBytes() * blockSize;
        }

        @Override
        public Cross withBlockSize(int tokens) {
            return new Cross(heads, tokens, encoderTokens, paddedPage);
        }

        @Override
        public Cross withPaddedPage(long bytes) {
            return new Cross(heads, blockSize, encoderTokens, bytes);
        }

        @Override
        public boolean mergesWith(KvSpec other) {
            return equals(other);
        }

        @Override
        public boolean sameTypeAs(KvSpec other) {
            return other instanceof Cross that && blockSize == that.blockSize;
        }
    }
}
