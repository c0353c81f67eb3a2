package dev.kvcast.simulate;

import java.util.List;
import java.util.Locale;

/** Which of several replicas gets a request. */
public interface Router {

    /**
     * Chooses.
     *
     * @param request the request that arrives now
     * @return index of a replica
     */
    int choose(int request, List<Scheduler> replicas);

    /** Whether the choice depends on what the replicas are doing. */
    default boolean looksAtLoad() {
        return true;
    }

    /** The policies that can be named. */
    enum Policy {
        /** One after the other. */
        ROUND_ROBIN,
        /** Fewest requests waiting, counted four times, and running: vLLM's own balancer of data-parallel engines. */
        LEAST_LOADED,
        /** The replica that the request's shared prefix went to before; the least loaded for a new one. */
        PREFIX_AWARE;

        /** The name used on the command line. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** A router that follows the policy. */
        public Router create(RequestTable requests) {
            return switch (this) {
                case ROUND_ROBIN -> new RoundRobin();
                case LEAST_LOADED -> new LeastLoaded();
                case PREFIX_AWARE -> new PrefixAware(requests);
            };
        }
    }
}
