package dev.kvcast.simulate.vllm;

/**
 * What the scheduler needs to know of one KV-cache group ({@code v1/kv_cache_interface.py}).
 *
 * @param kind what its layers remember
 * @param blockSize tokens of a request that one block covers, context parallelism included
 * @param reach window or chunk in tokens; 0 for other kinds
 * @param extraRetained tokens kept below a window for drafters that look further ahead
 * @param speculativeBlocks extra state blocks for draft tokens
 * @param checkpointAlignment multiple of tokens at which the backend can export a state inside a chunk; 0 if it cannot
 * @param draft whether the group belongs to a drafter, whose hits are one block shorter
 */
public record CacheGroup(
        Kind kind,
        int blockSize,
        int reach,
        int extraRetained,
        int speculativeBlocks,
        int checkpointAlignment,
        boolean draft) {

    /** What a group's layers remember. */
    public enum Kind {
        /** Everything. */
        FULL,
        /** The last {@code reach} tokens. */
        WINDOW,
        /** The tokens of the current chunk of {@code reach}. */
        CHUNKED,
        /** A recurrent state, kept once. */
        STATE,
        /** A recurrent state with snapshots at block boundaries (mamba cache mode {@code align}). */
        ALIGNED_STATE,
        /** The encoder's output. */
        CROSS
    }

    /** Full attention. */
    public static CacheGroup full(int blockSize) {
        return new CacheGroup(Kind.FULL, blockSize, 0, 0, 0, 0, false);
    }

    /** Attention to the last {@code window} tokens. */
    public static CacheGroup window(int blockSize, int window) {
        return new CacheGroup(Kind.WINDOW, blockSize, window, 0, 0, 0, false);
    }

    /** Attention within chunks of {@code chunk} tokens. */
    public static CacheGroup chunked(int blockSize, int chunk) {
        return new CacheGroup(Kind.CHUNKED, blockSize, chunk, 0, 0, 0, false);
    }

    /** A state with snapshots at block boundaries. */
    public static CacheGroup alignedState(int blockSize, int speculativeBlocks) {
        return new CacheGroup(Kind.ALIGNED_STATE, blockSize, 0, 0, speculativeBlocks, 0, false);
    }

    /** A state without snapshots. */
    public static CacheGroup state(int blockSize, int speculativeBlocks) {
        return new CacheGroup(Kind.STATE, blockSize, 0, 0, speculativeBlocks, 0, false);
    }

    /** Attention to an encoder's output. */
    public static CacheGroup cross(int blockSize) {
        return new CacheGroup(Kind.CROSS, blockSize, 0, 0, 0, 0, false);
    }

    /** The same group, belonging to a drafter. */
    public CacheGroup asDraft() {
        return new CacheGroup(kind, blockSize, reach, extraRetained, speculativeBlocks, checkpointAlignment, true);
    }

    /** The same group, whose backend exports states at multiples of {@code alignment} tokens inside a chunk. */
    public CacheGroup withCheckpoints(int alignment) {
        return new CacheGroup(kind, blockSize, reach, extraRetained, speculativeBlocks, alignment, draft);
    }

    /** Whether the layers keep a state instead of tokens. */
    public boolean isState() {
        return kind == Kind.STATE || kind == Kind.ALIGNED_STATE;
    }

    /** Whether two groups are looked up together. */
    boolean sameSpec(CacheGroup other) {
        return asDraft().equals(other.asDraft());
    }
}
