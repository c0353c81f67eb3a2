package dev.kvcast.simulate;

import java.util.List;

/** One replica after the other. */
final class RoundRobin implements Router {

    private int next;

    @Override
    public int choose(int request, List<Scheduler> replicas) {
        return next++ % replicas.size();
    }

    @Override
    public boolean looksAtLoad() {
        return false;
    }
}
