package dev.kvcast.throughput;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Speed of one deployment with 90% intervals. Immutable and thread-safe. */
public final class SpeedModel {

    /** Generated tokens over which a benchmark's rate settles; a longer answer is measured at its first part. */
    private static final double MEASURED_OUTPUT = 2048;

    /** Prompts below this have rates that set-up and measurement decide. */
    private static final double SHORT_PROMPT = 2048;

    private final BootPlan plan;
    private final Coefficients coefficients;
    private final StepForm form;
    private final Sensitivity sensitivity;
    private final PrefillTime prefill;

    private SpeedModel(BootPlan plan, Coefficients coefficients, DeploymentWork work) {
        this.plan = plan;
        this.coefficients = coefficients;
        this.form = coefficients.formFor(plan.kernels().cacheDtype());
        List<StepContent> probes = List.of(new DecodeStep(8, 4096, 2048, true), new PrefillStep(1, 2048, 2048, true));
        this.sensitivity = new Sensitivity(work, coefficients, form, probes);
        this.prefill = new PrefillTime(Math.max(1, plan.limits().maxBatchedTokens()));
    }

    /** The speed of a planned deployment under coefficients of its engine and class of device. */
    public static SpeedModel of(Scenario scenario, BootPlan plan, Coefficients coefficients) {
        return new SpeedModel(plan, coefficients, WorkCounter.of(scenario, plan));
    }

    /** Step times at the best estimate. */
    public StepTime stepTime() {
        return sensitivity.best();
    }

    /** Seconds that the API server adds to each request, before its first step and after it. */
    public double apiSeconds() {
        return form.apiSeconds();
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
        int replicas = plan.limits().parallelism().data();
        int each = (concurrency + replicas - 1) / replicas;
        double context = contextTokens + Math.min(outputTokens, MEASURED_OUTPUT) / 2;
        boolean stored = sharedPrefix && plan.limits().prefixCaching();
        StepContent step = new DecodeStep(each, context, stored ? contextTokens : 0, sharedPrefix);
        Forecast seconds =
                forecast(steps -> steps.seconds(step), coefficients.residuals().decode());
        return new CellSpeed(
                seconds.dividing(concurrency),
                seconds.dividing(1),
                seconds,
                firstToken(Math.max(1, contextTokens), each, stored));
    }

    /** Speed of one prompt on an idle server. */
    public PrefillSpeed prefill(long promptTokens) {
        double tokens = Math.max(1, promptTokens);
        double residual = tokens < SHORT_PROMPT
                ? coefficients.residuals().shortPrefill()
                : coefficients.residuals().prefill();
        double value = prefill.seconds(stepTime(), tokens, 0);
        double deviation = sensitivity.deviation(steps -> prefill.roughSeconds(steps, tokens, 0));
        Forecast seconds = Forecast.logNormal(value, Math.hypot(deviation, residual));
        Forecast warm = firstToken(promptTokens, 1, plan.limits().prefixCaching());
        return new PrefillSpeed(seconds.dividing(tokens), later(seconds), warm);
    }

    /** Mean time to the first token of {@code requests} equal prompts that arrive at once. */
    private Forecast firstToken(long promptTokens, int requests, boolean cached) {
        // The last token is always computed, and hits end at a whole block.
        long block = Math.max(1, plan.pool().blockSize());
        long hit = cached ? (promptTokens - 1) / block * block : 0;
        double rest = Math.max(1, promptTokens - hit);
        double value = prefill.meanSeconds(stepTime(), requests, rest, hit, false);
        double deviation = sensitivity.deviation(steps -> prefill.meanSeconds(steps, requests, rest, hit, true));
        double residual = coefficients.residuals().firstToken();
        return later(Forecast.logNormal(value, Math.hypot(deviation, residual)));
    }

    private Forecast later(Forecast seconds) {
        double api = form.apiSeconds();
        return new Forecast(seconds.value() + api, seconds.low() + api, seconds.high() + api);
    }

    private Forecast forecast(ToDoubleFunction<StepTime> time, double residual) {
        double value = time.applyAsDouble(stepTime());
        return Forecast.logNormal(value, Math.hypot(sensitivity.deviation(time), residual));
    }
}
