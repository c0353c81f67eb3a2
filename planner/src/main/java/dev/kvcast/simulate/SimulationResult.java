package dev.kvcast.simulate;

/** What came out of a run. Times are in seconds. */
public final class SimulationResult {

    private final RequestTable requests;
    private final RunLog log;
    private final Tally tally;
    private final TimeSeries series;
    private final double endSeconds;
    private final boolean interrupted;
    private final boolean saturated;

    SimulationResult(
            RequestTable requests,
            RunLog log,
            Tally tally,
            TimeSeries series,
            double endSeconds,
            boolean interrupted,
            boolean saturated) {
        this.requests = requests;
        this.log = log;
        this.tally = tally;
        this.series = series;
        this.endSeconds = endSeconds;
        this.interrupted = interrupted;
        this.saturated = saturated;
    }

    /** The requests. */
    public RequestTable requests() {
        return requests;
    }

    /** What became of each. */
    public RunLog log() {
        return log;
    }

    /** The run over time. */
    public TimeSeries series() {
        return series;
    }

    /** Requests that got all their tokens. */
    public int completed() {
        return tally.completed;
    }

    /** Requests longer than the server takes. */
    public int rejected() {
        return tally.rejected;
    }

    /** Time from the start to the last token. */
    public double durationSeconds() {
        return endSeconds;
    }

    /** Preemptions of all requests. */
    public long preemptions() {
        return tally.preemptions;
    }

    /** Steps that computed something, over all replicas. */
    public long steps() {
        return tally.steps;
    }

    /** Tokens generated. */
    public long outputTokens() {
        return tally.outputTokens;
    }

    /** Share of the completed requests' prompt tokens that were in the cache. */
    public double prefixHitRate() {
        return tally.promptTokens == 0 ? 0 : (double) tally.cachedTokens / tally.promptTokens;
    }

    /** Largest share of a pool in use. */
    public double peakUsage() {
        return tally.peakUsage;
    }

    /** Output tokens per second over the whole run. */
    public double outputTokensPerSecond() {
        return endSeconds == 0 ? 0 : tally.outputTokens / endSeconds;
    }

    /** Completed requests per second over the whole run. */
    public double requestsPerSecond() {
        return endSeconds == 0 ? 0 : tally.completed / endSeconds;
    }

    /** Completed requests per second that kept the objective. */
    public double goodputPerSecond() {
        return endSeconds == 0 ? 0 : tally.withinObjective / endSeconds;
    }

    /** Share of all requests that kept the objective; what did not complete did not keep it. */
    public double goodShare() {
        return requests.size() == 0 ? 0 : (double) tally.withinObjective / requests.size();
    }

    /** From a request's arrival to its first token. */
    public Distribution timeToFirstToken() {
        return tally.timeToFirstToken;
    }

    /** From one output of a request to its next, over all of them. */
    public Distribution interToken() {
        return tally.interToken;
    }

    /** Mean time between a request's tokens, over requests with more than one. */
    public Distribution perOutputToken() {
        return tally.perOutputToken;
    }

    /** From a request's arrival to its last token. */
    public Distribution endToEnd() {
        return tally.endToEnd;
    }

    /** Whether the run was told to stop. */
    public boolean interrupted() {
        return interrupted;
    }

    /** Whether the run reached its time limit before everything was served. */
    public boolean saturated() {
        return saturated;
    }
}
