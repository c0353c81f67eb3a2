package dev.kvcast.simulate.vllm;

/** Rows of requests that wait to be admitted ({@code v1/core/sched/request_queue.py}). */
interface WaitingQueue {

    /** Requests in the queue. */
    int size();

    /** The next one to admit. */
    int peek();

    /** Removes the next one. */
    int pop();

    /** Puts a new request where the policy wants it. */
    void add(int row);

    /** Puts a request back in front, where the policy knows a front. */
    void prepend(int row);

    /** Takes a request out, wherever it is. */
    void remove(int row);

    /** The requests in the order they would be popped. */
    int[] toArray();
}
