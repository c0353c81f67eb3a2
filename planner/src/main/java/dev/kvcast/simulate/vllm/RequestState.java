package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.RequestTable;
import java.util.Arrays;

/**
 * What the scheduler knows of each request it has: {@code v1/request.py} as columns. Rows are used again, so that those of
 * running requests stay close together, however many requests a run has.
 */
final class RequestState {

    static final byte WAITING = 1;
    static final byte RUNNING = 2;
    static final byte PREEMPTED = 3;
    static final byte FINISHED = 4;

    private final RequestTable requests;
    private final IntList freeSlots = new IntList();
    private final IntList freeRows = new IntList();
    private final IntList retired = new IntList();
    private int slots;
    private int rows;
    private int[] rowOf = new int[64];

    /** The request in the row. */
    int[] id = new int[64];

    int[] limit = new int[64];
    int[] stopAt = new int[64];
    int[] priority = new int[64];
    double[] arrival = new double[64];
    boolean[] skipsCache = new boolean[64];

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
    /** Place in the block tables, -1 without. */
    int[] slot = new int[64];

    RequestState(RequestTable requests) {
        this.requests = requests;
    }

    /** Takes a request in; its row is free again once it has finished and the next step begins. */
    int add(int request) {
        int row = freeRows.isEmpty() ? rows++ : freeRows.removeLast();
        if (row >= status.length) {
            grow(Math.max(row + 1, status.length * 2));
        }
        if (request >= rowOf.length) {
            rowOf = Arrays.copyOf(rowOf, Math.max(request + 1, rowOf.length * 2));
        }
        rowOf[request] = row;
        id[row] = request;
        status[row] = WAITING;
        prompt[row] = requests.promptTokens(request);
        limit[row] = requests.maxOutputTokens(request);
        stopAt[row] = requests.stopAt(request);
        priority[row] = requests.priority(request);
        arrival[row] = requests.arrivalSeconds(request);
        skipsCache[row] = requests.skipsCache(request);
        tokens[row] = prompt[row];
        computed[row] = 0;
        placeholders[row] = 0;
        drafts[row] = 0;
        inFlight[row] = 0;
        stale[row] = 0;
        prefilling[row] = false;
        eligibleStep[row] = 0;
        junction[row] = 0;
        preemptions[row] = 0;
        cachedTokens[row] = -1;
        slot[row] = -1;
        return row;
    }

    /** The row of a request that has been taken in. */
    int row(int request) {
        return rowOf[request];
    }

    /** Whether the row still belongs to that request, and the request is not finished. */
    boolean isAlive(int row, int request) {
        return id[row] == request && status[row] != FINISHED;
    }

    /** Marks a request finished; its row can be read until the next step. */
    void finish(int row) {
        status[row] = FINISHED;
        retired.add(row);
    }

    /** Frees the rows of finished requests. */
    void recycle() {
        while (!retired.isEmpty()) {
            freeRows.add(retired.removeLast());
        }
    }

    /** Output tokens so far. */
    int outputTokens(int row) {
        return tokens[row] - prompt[row];
    }

    /** Assigns a place in the block tables. */
    int takeSlot(int row) {
        int taken = freeSlots.isEmpty() ? slots++ : freeSlots.removeLast();
        slot[row] = taken;
        return taken;
    }

    /** Gives the place back. */
    void dropSlot(int row) {
        freeSlots.add(slot[row]);
        slot[row] = -1;
    }

    private void grow(int capacity) {
        id = Arrays.copyOf(id, capacity);
        limit = Arrays.copyOf(limit, capacity);
        stopAt = Arrays.copyOf(stopAt, capacity);
        priority = Arrays.copyOf(priority, capacity);
        arrival = Arrays.copyOf(arrival, capacity);
        skipsCache = Arrays.copyOf(skipsCache, capacity);
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
