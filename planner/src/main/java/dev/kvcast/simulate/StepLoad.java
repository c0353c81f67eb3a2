package dev.kvcast.simulate;

import java.util.Arrays;

/**
 * What a step holds, as far as its time goes: sequences that decode, and chunks of prompts. Refilled, not recreated.
 */
public final class StepLoad {

    private final int[] windows;
    private final long[] windowTokens;
    /** Sequences still shorter than each window. */
    private final int[] growing;

    private int sequences;
    private int decodeTokens;
    private long contextTokens;
    private int stepsToWindow;
    private int chunks;
    private int[] chunkTokens = new int[16];
    private int[] chunkContext = new int[16];
    private boolean[] chunkIsLast = new boolean[16];
    private long prefillTokens;

    /**
     * An empty load.
     *
     * @param windows attention windows in tokens whose capped context sums are wanted; none for full attention only
     */
    public StepLoad(int... windows) {
        this.windows = windows.clone();
        windowTokens = new long[windows.length];
        growing = new int[windows.length];
        clear();
    }

    /** Empties the load. */
    public void clear() {
        sequences = 0;
        decodeTokens = 0;
        contextTokens = 0;
        chunks = 0;
        prefillTokens = 0;
        stepsToWindow = Integer.MAX_VALUE;
        Arrays.fill(windowTokens, 0);
        Arrays.fill(growing, 0);
    }

    /** Takes over what a batch holds. */
    public void fill(StepBatch batch) {
        clear();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.samples(i) && batch.tokens(i) == 1 + batch.drafts(i)) {
                decode(batch.tokens(i), batch.context(i));
            } else {
                chunk(batch.tokens(i), batch.context(i), batch.samples(i));
            }
        }
    }

    /**
     * Adds a sequence that decodes.
     *
     * @param tokens its tokens in this step: one, and its drafts
     * @param context its tokens already in the cache
     */
    public void decode(int tokens, int context) {
        sequences++;
        decodeTokens += tokens;
        contextTokens += context;
        for (int i = 0; i < windows.length; i++) {
            windowTokens[i] += Math.min(context, windows[i]);
            if (context < windows[i]) {
                growing[i]++;
                stepsToWindow = Math.min(stepsToWindow, windows[i] - context);
            }
        }
    }

    /**
     * Adds part of a prompt.
     *
     * @param tokens its tokens in this step
     * @param context tokens of its sequence already in the cache
     * @param isLast whether it ends the prompt, so that a token is sampled
     */
    public void chunk(int tokens, int context, boolean isLast) {
        if (chunks == chunkTokens.length) {
            chunkTokens = Arrays.copyOf(chunkTokens, chunks * 2);
            chunkContext = Arrays.copyOf(chunkContext, chunks * 2);
            chunkIsLast = Arrays.copyOf(chunkIsLast, chunks * 2);
        }
        chunkTokens[chunks] = tokens;
        chunkContext[chunks] = context;
        chunkIsLast[chunks] = isLast;
        chunks++;
        prefillTokens += tokens;
    }

    /** Makes this the load one decode step later; only for loads without chunks, at most {@link #affineSteps} times. */
    public void advance() {
        contextTokens += sequences;
        for (int i = 0; i < windows.length; i++) {
            windowTokens[i] += growing[i];
        }
    }

    /** Steps over which every capped context sum grows evenly. */
    public int affineSteps() {
        return stepsToWindow;
    }

    /** Sequences that decode. */
    public int sequences() {
        return sequences;
    }

    /** Tokens of sequences that decode; more than one each with drafts. */
    public int decodeTokens() {
        return decodeTokens;
    }

    /** Cached tokens over all sequences that decode. */
    public long contextTokens() {
        return contextTokens;
    }

    /** Cached tokens over all sequences that decode, each counted up to window number {@code index}. */
    public long windowTokens(int index) {
        return windowTokens[index];
    }

    /** Chunks of prompts. */
    public int chunks() {
        return chunks;
    }

    /** Tokens of all chunks. */
    public long prefillTokens() {
        return prefillTokens;
    }

    /** Tokens of a chunk. */
    public int chunkTokens(int index) {
        return chunkTokens[index];
    }

    /** Cached tokens before a chunk. */
    public int chunkContext(int index) {
        return chunkContext[index];
    }

    /** Whether a chunk ends its prompt. */
    public boolean chunkIsLast(int index) {
        return chunkIsLast[index];
    }
}
