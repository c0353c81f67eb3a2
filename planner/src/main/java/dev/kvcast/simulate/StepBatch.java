package dev.kvcast.simulate;

import java.util.Arrays;

/** One step of an engine: what a {@link Scheduler} put into it, and what the model made of it. Refilled, not recreated. */
public final class StepBatch {

    private int size;
    private int totalTokens;
    private int[] request = new int[64];
    private int[] row = new int[64];
    private int[] tokens = new int[64];
    private int[] context = new int[64];
    private int[] drafts = new int[64];
    private int[] sampled = new int[64];
    private int[] proposed = new int[64];
    private boolean[] samples = new boolean[64];
    private final IntList admitted = new IntList();
    private final IntList preempted = new IntList();
    private final IntList finished = new IntList();

    /** An empty batch. */
    public StepBatch() {}

    /** Empties the batch. */
    public void clear() {
        size = 0;
        totalTokens = 0;
        admitted.clear();
        preempted.clear();
        finished.clear();
    }

    /**
     * Adds a request.
     *
     * @param id the request
     * @param handle what the scheduler knows it by
     * @param newTokens tokens to compute, drafts included
     * @param computed tokens of it that are in the cache before
     * @param draftTokens drafts among the new tokens
     */
    public void add(int id, int handle, int newTokens, int computed, int draftTokens) {
        if (size == request.length) {
            grow();
        }
        request[size] = id;
        row[size] = handle;
        tokens[size] = newTokens;
        context[size] = computed;
        drafts[size] = draftTokens;
        sampled[size] = 0;
        samples[size] = false;
        size++;
        totalTokens += newTokens;
    }

    /** Takes the entry out again; later ones move up. */
    public void remove(int index) {
        totalTokens -= tokens[index];
        int later = size - index - 1;
        System.arraycopy(request, index + 1, request, index, later);
        System.arraycopy(row, index + 1, row, index, later);
        System.arraycopy(tokens, index + 1, tokens, index, later);
        System.arraycopy(context, index + 1, context, index, later);
        System.arraycopy(drafts, index + 1, drafts, index, later);
        size--;
    }

    /** Says that the model will sample for an entry, so one output token at least. */
    public void willSample(int index) {
        samples[index] = true;
        sampled[index] = 1;
    }

    /** Sets how many tokens an entry's output has: one, and the accepted drafts. */
    public void sampled(int index, int count) {
        sampled[index] = count;
    }

    /** Sets how many drafts are proposed for an entry's next step. */
    public void proposed(int index, int count) {
        proposed[index] = count;
    }

    /** Entries. */
    public int size() {
        return size;
    }

    /** Tokens over all entries. */
    public int totalTokens() {
        return totalTokens;
    }

    /** The request of an entry. */
    public int request(int index) {
        return request[index];
    }

    /** What the scheduler knows the request of an entry by. */
    public int row(int index) {
        return row[index];
    }

    /** Tokens an entry computes. */
    public int tokens(int index) {
        return tokens[index];
    }

    /** Tokens of an entry that are in the cache before. */
    public int context(int index) {
        return context[index];
    }

    /** Drafts of an entry. */
    public int drafts(int index) {
        return drafts[index];
    }

    /** Whether the entry's output has tokens. */
    public boolean samples(int index) {
        return samples[index];
    }

    /** Output tokens of an entry; 0 for an unfinished prefill. */
    public int sampled(int index) {
        return sampled[index];
    }

    /** Drafts proposed for an entry's next step. */
    public int proposed(int index) {
        return proposed[index];
    }

    /** Position of a request, or -1. */
    public int indexOf(int id) {
        for (int i = 0; i < size; i++) {
            if (request[i] == id) {
                return i;
            }
        }
        return -1;
    }

    /** Requests that left the waiting queue for this step, in order. */
    public IntList admitted() {
        return admitted;
    }

    /** Requests preempted for this step, in order. */
    public IntList preempted() {
        return preempted;
    }

    /** Requests that ended with this step's output, in order. */
    public IntList finished() {
        return finished;
    }

    private void grow() {
        int capacity = size * 2;
        request = Arrays.copyOf(request, capacity);
        row = Arrays.copyOf(row, capacity);
        tokens = Arrays.copyOf(tokens, capacity);
        context = Arrays.copyOf(context, capacity);
        drafts = Arrays.copyOf(drafts, capacity);
        sampled = Arrays.copyOf(sampled, capacity);
        proposed = Arrays.copyOf(proposed, capacity);
        samples = Arrays.copyOf(samples, capacity);
    }
}
