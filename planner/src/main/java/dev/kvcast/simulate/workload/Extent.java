package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;

/**
 * How long requests keep coming.
 *
 * @param requests most requests
 * @param seconds no request comes later
 */
public record Extent(int requests, double seconds) {

    /** Most requests of one run: what fits memory. */
    public static final int MOST_REQUESTS = 50_000_000;

    /** Checks both. */
    public Extent {
        if (requests < 1 || requests > MOST_REQUESTS) {
            throw InputException.badInput(requests + " requests; expected 1 to " + MOST_REQUESTS);
        }
        if (!(seconds > 0)) {
            throw InputException.badInput("duration of " + seconds + " s; expected a positive number");
        }
    }

    /** So many requests. */
    public static Extent ofRequests(int requests) {
        return new Extent(requests, Double.POSITIVE_INFINITY);
    }

    /** So many seconds. */
    public static Extent ofSeconds(double seconds) {
        return new Extent(MOST_REQUESTS, seconds);
    }
}
