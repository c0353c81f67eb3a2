package dev.kvcast.simulate;

import java.util.List;

/** The score of vLLM's balancer ({@code DPLBAsyncMPClient} in {@code v1/engine/core_client.py}): 4 x waiting + running. */
final class LeastLoaded implements Router {

    @Override
    public int choose(int request, List<Scheduler> replicas) {
        int best = 0;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < replicas.size(); i++) {
            Scheduler replica = replicas.get(i);
            long score = 4L * replica.waiting() + replica.running();
            if (score < least) {
                least = score;
                best = i;
            }
        }
        return best;
    }
}
