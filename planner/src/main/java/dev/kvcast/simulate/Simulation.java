package dev.kvcast.simulate;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run: requests arrive at a router, replicas serve them, and everything that happens is booked. */
public final class Simulation {

    private static final double FIRST_ROW_SECONDS = 0.125;
    private static final int ACTIONS_BETWEEN_LOOKS = 4096;

    private final Workload workload;
    private final SimulationSettings settings;
    private final RequestTable requests = new RequestTable();
    private final RunLog log = new RunLog();
    private final Tally tally = new Tally();
    private final TimeSeries series = new TimeSeries(FIRST_ROW_SECONDS);
    private final ArrivalQueue arrivals = new ArrivalQueue();
    private final List<Replica> replicas = new ArrayList<>();
    private final List<Scheduler> schedulers = new ArrayList<>();
    private final Router router;
    private int known;
    private double now;

    /**
     * Prepares a run.
     *
     * @param schedulers makes the scheduler of one replica for the run's requests
     * @param replicas number of replicas, 1 or more
     */
    public Simulation(
            Workload workload,
            Function<RequestTable, Scheduler> schedulers,
            int replicas,
            StepClock clock,
            SimulationSettings settings) {
        this.workload = workload;
        this.settings = settings;
        router = settings.router().create(requests);
        RunRecorder recorder = new RunRecorder(requests, settings.frontend(), settings.objective(), log, tally, series);
        boolean exactLoads = replicas > 1 && router.looksAtLoad();
        for (int i = 0; i < replicas; i++) {
            Scheduler scheduler = schedulers.apply(requests);
            this.schedulers.add(scheduler);
            this.replicas.add(new Replica(scheduler, clock, recorder, !settings.stepByStep(), exactLoads));
        }
    }

    /**
     * Runs until everything is served, or until told to stop.
     *
     * @throws InputException if a request can never fit the pool
     */
    public SimulationResult run() {
        workload.begin(requests);
        takeNewRequests();
        int untilLook = ACTIONS_BETWEEN_LOOKS;
        boolean interrupted = false;
        Replica next = earliest();
        while (!(arrivals.isEmpty() && next == null) && now < settings.maxSeconds()) {
            double nextArrival = arrivals.nextSeconds();
            if (next == null || nextArrival <= next.nextActionSeconds()) {
                arrive(nextArrival);
            } else {
                now = next.nextActionSeconds();
                settle(next.act(Math.min(nextArrival, earliestReaction(next))), now);
            }
            if (--untilLook == 0) {
                untilLook = ACTIONS_BETWEEN_LOOKS;
                settings.progress().at(tally.completed + tally.rejected, requests.size(), now);
                if (settings.stop().getAsBoolean()) {
                    interrupted = true;
                    break;
                }
            }
            next = earliest();
        }
        refuseStall();
        return result(interrupted);
    }

    private @Nullable Replica earliest() {
        Replica earliest = null;
        for (int i = 0; i < replicas.size(); i++) {
            Replica replica = replicas.get(i);
            if (replica.isBusy() && (earliest == null || replica.nextActionSeconds() < earliest.nextActionSeconds())) {
                earliest = replica;
            }
        }
        return earliest;
    }

    /** When another replica may end a request, and so bring about a new one. */
    private double earliestReaction(Replica acting) {
        double earliest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < replicas.size() && replicas.size() > 1 && workload.reacts(); i++) {
            Replica other = replicas.get(i);
            if (other != acting && other.isBusy()) {
                earliest = Math.min(earliest, other.nextActionSeconds());
            }
        }
        return earliest;
    }

    private void arrive(double time) {
        now = Math.max(now, time);
        int request = arrivals.poll();
        if ((long) requests.promptTokens(request) + requests.outputTokens(request) > settings.maxModelLen()) {
            log.reject(request);
            tally.rejected++;
            workload.ended(request, time, requests);
            takeNewRequests();
            return;
        }
        replicas.get(replicas.size() == 1 ? 0 : router.choose(request, schedulers))
                .accept(request, time);
    }

    private void settle(IntList finished, double time) {
        for (int i = 0; i < finished.size(); i++) {
            workload.ended(finished.get(i), time + settings.frontend().outputSeconds(), requests);
        }
        if (requests.size() > known) {
            takeNewRequests();
        }
    }

    private void takeNewRequests() {
        log.ensure(requests.size());
        for (; known < requests.size(); known++) {
            log.open(known);
            double delay = settings.frontend().delaySeconds(requests.promptTokens(known));
            arrivals.add(known, requests.arrivalSeconds(known) + delay);
        }
    }

    private void refuseStall() {
        for (Replica replica : replicas) {
            if (replica.isStalled()) {
                throw InputException.badInput("a request needs more than the pool of "
                        + replica.scheduler().usableBlocks()
                        + " blocks can ever hold, and waits for ever; vLLM refuses to start with such a pool"
                        + " (lower --max-model-len or give it more blocks)");
            }
        }
    }

    private SimulationResult result(boolean interrupted) {
        settings.progress().at(tally.completed + tally.rejected, requests.size(), now);
        boolean saturated = !interrupted && tally.completed + tally.rejected < requests.size();
        return new SimulationResult(requests, log, tally, series, now, interrupted, saturated);
    }
}
