package dev.kvcast.simulate;

/**
 * One engine process: decides steps, runs them one after another, and books their output, in the order of
 * {@code EngineCore.step} and, when steps overlap, {@code step_with_batch_queue} of vLLM's {@code v1/engine/core.py}.
 */
final class Replica {

    private static final IntList NOBODY = new IntList();

    private final Scheduler scheduler;
    private final StepClock clock;
    private final RunRecorder recorder;
    private final boolean leaps;
    private final boolean exactLoads;
    private final StepLoad load;
    private final StepBatch[] ring;
    private final double[] ends;
    private int oldest;
    private int underWay;
    /** The engine's own time: that of its latest decision or output. */
    private double now;

    private double busyUntil;
    /** Whether the latest decision found nothing to run, so that the next output must come first. */
    private boolean starved;
    /** Whether every running request got a token when the latest step ended. */
    private boolean even;

    /**
     * An idle engine.
     *
     * @param leaps whether runs of decode steps may be taken at once; without, every step is decided by itself
     * @param exactLoads whether somebody looks at the queues whenever a request arrives
     */
    Replica(Scheduler scheduler, StepClock clock, RunRecorder recorder, boolean leaps, boolean exactLoads) {
        this.scheduler = scheduler;
        this.clock = clock;
        this.recorder = recorder;
        this.leaps = leaps;
        this.exactLoads = exactLoads;
        load = new StepLoad(clock.windows());
        ring = new StepBatch[scheduler.concurrentBatches()];
        ends = new double[ring.length];
        for (int i = 0; i < ring.length; i++) {
            ring[i] = new StepBatch();
        }
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Hands a request over that arrives at {@code time}. */
    void accept(int request, double time) {
        if (!isBusy()) {
            now = Math.max(now, time);
        }
        starved = false;
        scheduler.add(request);
    }

    /** Whether anything is left that it can do by itself. */
    boolean isBusy() {
        return underWay > 0 || mayDecide();
    }

    /** Whether requests wait that nothing will ever make fit. */
    boolean isStalled() {
        return !isBusy() && scheduler.hasRequests();
    }

    /** When it acts next. */
    double nextActionSeconds() {
        return mayDecide() ? now : ends[oldest];
    }

    private boolean mayDecide() {
        return underWay < ring.length && !starved && scheduler.hasRequests();
    }

    /**
     * Decides a step, books one, or leaps over many.
     *
     * @param until when the next request arrives: a decision at that time or later must see it
     * @return requests that finished
     */
    IntList act(double until) {
        if (!mayDecide()) {
            return complete();
        }
        boolean oneDecisionAStep = underWay == ring.length - 1;
        if (!(leaps && even && oneDecisionAStep && leap(until))) {
            decide();
        }
        return NOBODY;
    }

    private void decide() {
        int place = (oldest + underWay) % ring.length;
        StepBatch batch = ring[place];
        scheduler.schedule(batch);
        recorder.decided(batch, scheduler, now);
        if (batch.size() == 0) {
            starved = batch.preempted().isEmpty() || underWay > 0;
            return;
        }
        load.fill(batch);
        busyUntil = Math.max(now, busyUntil) + clock.seconds(load);
        ends[place] = busyUntil;
        underWay++;
    }

    private IntList complete() {
        StepBatch batch = ring[oldest];
        double before = now;
        now = ends[oldest];
        oldest = (oldest + 1) % ring.length;
        underWay--;
        starved = false;
        scheduler.update(batch);
        even = recorder.completed(batch, scheduler, before, now) == scheduler.running();
        return batch.finished();
    }

    /** Takes as many steady steps as are decided before {@code until}; false if there is none. */
    private boolean leap(double until) {
        int steps = scheduler.steadySteps(load);
        if (steps == 0) {
            return false;
        }
        double first = clock.seconds(load);
        load.advance();
        double growth = clock.seconds(load) - first;
        // A step under way ends first; without one, the first new step starts now.
        double start = underWay > 0 ? ends[oldest] : now;
        if (exactLoads || !scheduler.isBlocked()) {
            steps = decidedBefore(until, steps, start, first, growth);
        }
        StepBatch last = ring[(oldest + underWay) % ring.length];
        scheduler.leap(steps, last);
        double end = start + sum(steps, first, growth);
        if (underWay == 0) {
            recorder.leapt(scheduler, now, steps, 0, first, growth, end);
            now = end;
        } else {
            double newest = start + sum(steps - 1, first, growth);
            recorder.leapt(scheduler, now, steps, start - now, first, growth, newest);
            now = newest;
            oldest = (oldest + 1) % ring.length;
            ends[oldest] = end;
        }
        busyUntil = end;
        return true;
    }

    /** Steps of which even the last is decided before {@code until}; at least one, which is decided now. */
    private int decidedBefore(double until, int steps, double start, double first, double growth) {
        int low = 1;
        int high = steps;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            // The decision about step m falls when the step before it starts to run, if steps overlap, or ends.
            int completed = underWay > 0 ? middle - 2 : middle - 1;
            if (start + sum(completed, first, growth) < until) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Time of so many steps, each {@code growth} longer than the one before. */
    private static double sum(int steps, double first, double growth) {
        return steps * first + growth * (0.5 * steps * (steps - 1.0));
    }
}
