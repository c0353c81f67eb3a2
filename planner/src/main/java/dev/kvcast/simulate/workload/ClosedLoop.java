package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.Workload;

/** A fixed number of users, each of whom waits for an answer, thinks, and asks again. */
public final class ClosedLoop implements Workload {

    private final int users;
    private final double thinkSeconds;
    private final Lengths input;
    private final Lengths output;
    private final Extent extent;
    private final Randomness inputs;
    private final Randomness outputs;
    private final Randomness thinking;
    private int made;

    /**
     * A closed loop.
     *
     * @param users users, 1 or more
     * @param thinkSeconds mean of the exponential time between an answer and the next question; 0 for none
     * @param extent how long they go on
     */
    public ClosedLoop(int users, double thinkSeconds, Lengths input, Lengths output, Extent extent, long seed) {
        if (users < 1) {
            throw InputException.badInput(users + " users; expected 1 or more");
        }
        if (!(thinkSeconds >= 0 && thinkSeconds < Double.POSITIVE_INFINITY)) {
            throw InputException.badInput("think time of " + thinkSeconds + " s; expected 0 or more");
        }
        this.users = users;
        this.thinkSeconds = thinkSeconds;
        this.input = input;
        this.output = output;
        this.extent = extent;
        inputs = new Randomness(seed, 2);
        outputs = new Randomness(seed, 3);
        thinking = new Randomness(seed, 4);
    }

    @Override
    public void begin(RequestTable requests) {
        for (int i = 0; i < users; i++) {
            ask(0, requests);
        }
    }

    @Override
    public boolean reacts() {
        return true;
    }

    @Override
    public void ended(int request, double now, RequestTable requests) {
        ask(now + thinkSeconds * thinking.exponential(), requests);
    }

    private void ask(double time, RequestTable requests) {
        if (made < extent.requests() && time <= extent.seconds()) {
            made++;
            requests.add(time, input.next(inputs), output.next(outputs));
        }
    }
}
