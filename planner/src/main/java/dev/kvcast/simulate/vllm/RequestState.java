package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.RequestTable;
import java.util.Arrays;

/** What the scheduler knows of each request: {@code v1/request.py} as columns. */
final class RequestState {

    static final byte ABSENT = 0;
    static final byte WAITING = 1;
    static final byte RUNNING = 2;
    static final byte PREEMPTED = 3;
    static final byte FINISHED = 4;

    private final RequestTable requests;
    private final IntList freeSlots = new IntList();
    private int slots;

    byte[] status = new byte[64];
    int[] prompt = new int[64];
    /** Prompt and output tokens known so far. */
    int[] tokens = new int[64];
    /** Tokens computed, those of steps under way included. */
    int[] computed = new int[64];
    /** Output tokens of steps under way (asynchronous scheduling). */
    int[] placeholders = new int[64];
    /** Drafts waiting to be verified. */
    int[] drafts = new int[64];
    /** Tokens of steps whose output has not been processed. */
    int[] inFlight = new int[64];
    /** Those of them that were under way when the request was preempted. */
    int[] stale = new int[64];
    /** Whether the last step left part of the prefill undone. */
    boolean[] prefilling = new boolean[64];
    /** First step that may decode it again (pipelines with asynchronous scheduling). */
    long[] eligibleStep = new long[64];
    /** Where a shared prefix was found to end. */
    int[] junction = new int[64];

    int[] preemptions = new int[64];
    /** Prefix hit at the first admission, -1 before. */
    int[] cachedTokens = new int[64];
    /** Row in the block tables, -1 without. */
    int[] slot = new int[64];

    RequestState(RequestTable requests) {
        this.requests = requests;
    }

    /** Takes a request in. */
    void add(int request) {
        if (request >= status.length) {
            grow(Math.max(request + 1, status.length * 2));
        }
        status[request] = WAITING;
        prompt[request] = requests.promptTokens(request);
        tokens[request] = prompt[request];
        cachedTokens[request] = -1;
        slot[request] = -1;
    }

    /** Output tokens so far. */
    int outputTokens(int request) {
        return tokens[request] - prompt[request];
    }

    /** Assigns a row in the block tables. */
    int takeSlot(int request) {
        int taken = freeSlots.isEmpty() ? slots++ : freeSlots.removeLast();
        slot[request] = taken;
        return taken;
    }

    /** Gives the row back. */
    void dropSlot(int request) {
        freeSlots.add(slot[request]);
        slot[request] = -1;
    }

    private void grow(int capacity) {
        status = Arrays.copyOf(status, capacity);
        prompt = Arrays.copyOf(prompt, capacity);
        tokens = Arrays.copyOf(tokens, capacity);
        computed = Arrays.copyOf(computed, capacity);
        placeholders = Arrays.copyOf(placeholders, capacity);
        drafts = Arrays.copyOf(drafts, capacity);
        inFlight = Arrays.copyOf(inFlight, capacity);
        stale = Arrays.copyOf(stale, capacity);
        prefilling = Arrays.copyOf(prefilling, capacity);
        eligibleStep = Arrays.copyOf(eligibleStep, capacity);
        junction = Arrays.copyOf(junction, capacity);
        preemptions = Arrays.copyOf(preemptions, capacity);
        cachedTokens = Arrays.copyOf(cachedTokens, capacity);
        slot = Arrays.copyOf(slot, capacity);
    }
}
