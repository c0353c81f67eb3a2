package dev.kvcast.simulate;

/**
 * An engine's scheduler: decides, step by step, which tokens of which requests run, and keeps the cache's books.
 * Requests are rows of a {@link RequestTable}. vLLM's is the first; those of other engines can stand beside it.
 */
public interface Scheduler {

    /** Queues a request that has just arrived. */
    void add(int request);

    /** Drops a request that its client no longer wants; unknown or finished ones are ignored. */
    void abort(int request);

    /** Whether some request is neither finished nor aborted. */
    boolean hasRequests();

    /** Decides the next step. */
    void schedule(StepBatch batch);

    /** Takes the output of a step; steps come back in the order they were scheduled. */
    void update(StepBatch batch);

    /**
     * How many steps can be taken at once, because each would decode one token of every running request and decide
     * nothing else; 0 if that is not sure. A request that arrives meanwhile may end this, unless {@link #isBlocked}.
     *
     * @param load filled with what the first of them holds
     */
    int steadySteps(StepLoad load);

    /**
     * Takes that many steps at once: as many calls of {@link #schedule} and {@link #update} with nothing else in it.
     *
     * @param last refilled with the last of them when steps overlap, for its output is still to come
     */
    void leap(int steps, StepBatch last);

    /** Whether a request that arrives now surely waits until some request finishes. */
    boolean isBlocked();

    /** The requests running, in the scheduler's order; not to be changed. */
    IntList runningRequests();

    /** Steps whose output may be outstanding while the next is decided. */
    int concurrentBatches();

    /** Requests running. */
    int running();

    /** Requests waiting. */
    int waiting();

    /** Blocks that hold no request's tokens. */
    int freeBlocks();

    /** Blocks that requests can hold. */
    int usableBlocks();

    /** How often a request was preempted. */
    int preemptions(int request);

    /** Output tokens of a request so far. */
    int outputTokens(int request);

    /** Tokens of a request found in the cache when it was first admitted. */
    int cachedTokens(int request);
}
