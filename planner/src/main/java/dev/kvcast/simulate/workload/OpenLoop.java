package dev.kvcast.simulate.workload;

import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.Workload;

/**
 * Requests that come whatever becomes of the earlier ones, and share nothing.
 *
 * @param arrivals when they come
 * @param burst requests that come together each time, 1 or more
 * @param input prompt lengths
 * @param output output lengths
 * @param extent how long they come
 * @param seed makes the run repeatable
 */
public record OpenLoop(Arrivals arrivals, int burst, Lengths input, Lengths output, Extent extent, long seed)
        implements Workload {

    @Override
    public void begin(RequestTable requests) {
        Randomness times = new Randomness(seed, 1);
        Randomness inputs = new Randomness(seed, 2);
        Randomness outputs = new Randomness(seed, 3);
        double now = 0;
        int made = 0;
        while (made < extent.requests()) {
            // Bursts of n come n times as seldom, so that the rate stays what it is said to be.
            now += arrivals.gap(times) * burst;
            if (now > extent.seconds()) {
                return;
            }
            for (int i = 0; i < burst && made < extent.requests(); i++, made++) {
                requests.add(now, input.next(inputs), output.next(outputs));
            }
        }
    }
}
