package dev.kvcast.simulate;

/** Turns what replicas do into the log, the distributions and the time series of a run. */
final class RunRecorder {

    private final RequestTable requests;
    private final Frontend frontend;
    private final Objective objective;
    private final RunLog log;
    private final Tally tally;
    private final TimeSeries series;

    RunRecorder(
            RequestTable requests, Frontend frontend, Objective objective, RunLog log, Tally tally, TimeSeries series) {
        this.requests = requests;
        this.frontend = frontend;
        this.objective = objective;
        this.log = log;
        this.tally = tally;
        this.series = series;
    }

    /** Books a decision. */
    void decided(StepBatch batch, Scheduler scheduler, double now) {
        tally.preemptions += batch.preempted().size();
        for (int i = 0; i < batch.admitted().size(); i++) {
            log.schedule(batch.admitted().get(i), now);
        }
        tally.steps += batch.size() > 0 ? 1 : 0;
        tally.usage(scheduler);
    }

    /**
     * Books a step's output.
     *
     * @return requests that got a token and go on
     */
    int completed(StepBatch batch, Scheduler scheduler, double before, double now) {
        int tokens = 0;
        int steady = 0;
        int alive = 0;
        for (int i = 0; i < batch.size(); i++) {
            int sampled = batch.sampled(i);
            if (sampled == 0) {
                continue;
            }
            int request = batch.request(i);
            if (log.fate(request) != RunLog.Fate.PENDING) {
                continue;
            }
            tokens += sampled;
            alive++;
            double last = log.lastTokenSeconds(request);
            if (last == before) {
                steady++;
            } else if (!Double.isNaN(last)) {
                tally.interToken.add(now - last);
            } else {
                tally.timeToFirstToken.add(now + frontend.outputSeconds() - requests.arrivalSeconds(request));
            }
            log.token(request, now);
        }
        if (steady > 0) {
            tally.interToken.add(now - before, steady);
        }
        for (int i = 0; i < batch.finished().size(); i++) {
            finish(batch.finished().get(i), scheduler);
        }
        tally.outputTokens += tokens;
        series.add(before, now, tokens, scheduler.running(), scheduler.waiting(), tally.usage(scheduler));
        return alive - batch.finished().size();
    }

    /**
     * Books steps taken at once.
     *
     * @param before when the last token before them was there
     * @param steps outputs among them
     * @param rest time to the first output, when that step was under way already; 0 otherwise
     * @param first time of the first new step
     * @param growth how much longer each further step takes
     * @param now when the last output was there
     */
    void leapt(Scheduler scheduler, double before, int steps, double rest, double first, double growth, double now) {
        int running = scheduler.running();
        int fresh = steps;
        if (rest > 0) {
            tally.interToken.add(rest, running);
            fresh--;
        }
        for (int i = 0; i < fresh; i++) {
            tally.interToken.add(first + i * growth, running);
        }
        IntList all = scheduler.runningRequests();
        for (int i = 0; i < running; i++) {
            log.lastToken(all.get(i), now);
        }
        tally.steps += steps;
        tally.outputTokens += (long) steps * running;
        series.add(before, now, (double) steps * running, running, scheduler.waiting(), tally.usage(scheduler));
    }

    private void finish(int request, Scheduler scheduler) {
        int cached = scheduler.cachedTokens(request);
        log.complete(request, scheduler.preemptions(request), cached);
        double arrival = requests.arrivalSeconds(request);
        double first = log.firstTokenSeconds(request);
        double last = log.lastTokenSeconds(request);
        int output = scheduler.outputTokens(request);
        double endToEnd = last + frontend.outputSeconds() - arrival;
        double perToken = output > 1 ? (last - first) / (output - 1) : 0;
        tally.endToEnd.add(endToEnd);
        if (output > 1) {
            tally.perOutputToken.add(perToken);
        }
        tally.completed++;
        tally.promptTokens += requests.promptTokens(request);
        tally.cachedTokens += cached;
        if (objective.isMet(first + frontend.outputSeconds() - arrival, perToken, endToEnd)) {
            tally.withinObjective++;
        }
    }
}
