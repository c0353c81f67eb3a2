package dev.kvcast.throughput;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import java.util.List;

/** Speed of one deployment with 90% intervals. Immutable and thread-safe. */
public final class SpeedModel {

    /** Prompts below this have rates that set-up and measurement decide. */
    private static final double SHORT_PROMPT = 2048;

    private final CellTimes times;
    private final Residuals residuals;
    private final double apiSeconds;
    private final Sensitivity sensitivity;

    private SpeedModel(BootPlan plan, Coefficients coefficients, DeploymentWork work) {
        StepForm form = coefficients.formFor(plan.kernels().cacheDtype());
        List<StepContent> probes = List.of(new DecodeStep(8, 4096, 2048, true), new PrefillStep(1, 2048, 2048, true));
        this.sensitivity = new Sensitivity(work, coefficients, form, probes);
        this.times = CellTimes.of(sensitivity.best(), plan);
        this.residuals = coefficients.residuals();
        this.apiSeconds = form.apiSeconds();
    }

    /** The speed of a planned deployment under coefficients of its engine and class of device. */
    public static SpeedModel of(Scenario scenario, BootPlan plan, Coefficients coefficients) {
        DeploymentWork work = WorkCounter.of(scenario, plan);
        return new SpeedModel(plan, coefficients, coefficients.unthrottled() ? work.unthrottled() : work);
    }

    /** Step times at the best estimate. */
    public StepTime stepTime() {
        return sensitivity.best();
    }

    /** What benchmarks measure, in steps of this deployment. */
    public CellTimes times() {
        return times;
    }

    /** Seconds that the API server adds to each request, before its first step and after it. */
    public double apiSeconds() {
        return apiSeconds;
    }

    /**
     * Speed of a decode cell.
     *
     * @param contextTokens prompt tokens of each request
     * @param concurrency requests at once, over all replicas
     * @param outputTokens most tokens each generates
     * @param sharedPrefix whether all prompts are the same, and were seen before
     */
    public CellSpeed decode(long contextTokens, int concurrency, long outputTokens, boolean sharedPrefix) {
        TimedSteps time = times.decode(contextTokens, concurrency, outputTokens, sharedPrefix);
        StepContent step = times.decodeStep(contextTokens, concurrency, outputTokens, sharedPrefix);
        Forecast seconds =
                forecast(time, time, residuals.decode()).atLeast(stepTime().leastSeconds(step));
        int each = times.perReplica(concurrency);
        return new CellSpeed(
                seconds.dividing(concurrency),
                seconds.dividing(1),
                seconds,
                firstToken(Math.max(1, contextTokens), each, sharedPrefix));
    }

    /** Speed of one prompt on an idle server. */
    public PrefillSpeed prefill(long promptTokens) {
        double tokens = (double) Math.max(1, promptTokens);
        double residual = tokens < SHORT_PROMPT ? residuals.shortPrefill() : residuals.prefill();
        TimedSteps rough = times.prefill(tokens, 0, CellTimes.VERY_FEW);
        double least = stepTime().leastSeconds(new PrefillStep(1, tokens, 0, true));
        Forecast seconds =
                forecast(times.prefill(promptTokens), rough, residual).atLeast(least);
        return new PrefillSpeed(seconds.dividing(tokens), later(seconds), firstToken(promptTokens, 1, true));
    }

    /** Mean time to the first token of {@code requests} equal prompts that arrive at once. */
    private Forecast firstToken(long promptTokens, int requests, boolean seen) {
        long hit = seen ? times.hitTokens(promptTokens) : 0;
        double rest = (double) Math.max(1, promptTokens - hit);
        return later(forecast(
                times.meanPrefill(requests, rest, (double) hit, CellTimes.FEW),
                times.meanPrefill(requests, rest, (double) hit, CellTimes.VERY_FEW),
                residuals.firstToken()));
    }

    private Forecast later(Forecast seconds) {
        return new Forecast(seconds.value() + apiSeconds, seconds.low() + apiSeconds, seconds.high() + apiSeconds);
    }

    private Forecast forecast(TimedSteps time, TimedSteps rough, double residual) {
        double deviation = Math.hypot(sensitivity.deviation(rough), residual);
        return Forecast.logNormal(time.seconds(stepTime()), deviation);
    }
}
