package dev.kvcast.simulate;

/** Where requests come from. */
public interface Workload {

    /** Adds the requests known from the start. */
    void begin(RequestTable requests);

    /**
     * Hears that a request has ended, and may add requests that arrive at {@code now} or later.
     *
     * @param now when its client has the last token
     */
    default void ended(int request, double now, RequestTable requests) {}

    /** Whether {@link #ended} may add requests. */
    default boolean reacts() {
        return false;
    }
}
