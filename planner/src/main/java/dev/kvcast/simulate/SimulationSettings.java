package dev.kvcast.simulate;

import java.util.function.BooleanSupplier;

/**
 * How a run goes, engine and workload aside.
 *
 * @param router which replica gets a request
 * @param frontend what the API server adds
 * @param objective what a request must keep to count as served well
 * @param maxModelLen longest sequence the server takes, in tokens
 * @param maxSeconds when to stop a run that has not drained, in simulated seconds; infinity for never
 * @param stepByStep whether to decide every step by itself instead of leaping; slower, same outcome
 * @param stop asked now and then; a run that hears true ends with what it has
 * @param progress hears how far the run is
 */
public record SimulationSettings(
        Router.Policy router,
        Frontend frontend,
        Objective objective,
        int maxModelLen,
        double maxSeconds,
        boolean stepByStep,
        BooleanSupplier stop,
        Progress progress) {

    /** Hears how far a run is. */
    public interface Progress {
        /**
         * Called now and then.
         *
         * @param ended requests completed or rejected
         * @param known requests known so far
         * @param simulatedSeconds simulated time
         */
        void at(int ended, int known, double simulatedSeconds);
    }

    /** A run of one engine to its end, with times as the engine takes them. */
    public static SimulationSettings plain(int maxModelLen) {
        return new SimulationSettings(
                Router.Policy.ROUND_ROBIN,
                Frontend.NONE,
                Objective.NONE,
                maxModelLen,
                Double.POSITIVE_INFINITY,
                false,
                () -> false,
                (ended, known, seconds) -> {});
    }

    /** The same run, every step decided by itself. */
    public SimulationSettings withStepByStep() {
        return new SimulationSettings(router, frontend, objective, maxModelLen, maxSeconds, true, stop, progress);
    }
}
