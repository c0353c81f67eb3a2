package dev.kvcast.throughput;

import dev.kvcast.engine.BootPlan;

/**
 * What benchmarks measure, in steps.
 *
 * @param counter counts the steps' bytes and operations
 * @param replicas independent replicas that share the requests
 * @param budget tokens of one step
 * @param block tokens at whose multiples a prefix hit ends
 * @param prefixCaching whether prompts seen before are kept
 */
public record CellTimes(StepTime counter, int replicas, int budget, int block, boolean prefixCaching) {

    /** Generated tokens over which a benchmark's rate settles; a longer answer is measured at its first part. */
    private static final double MEASURED_OUTPUT = 2048;

    /** Full chunks beyond which the sum over them is taken from evenly spread samples. */
    static final int FEW = 16;

    /** Samples that tell how a time changes with a coefficient. */
    static final int VERY_FEW = 2;

    /** The times of a planned deployment. */
    public static CellTimes of(StepTime counter, BootPlan plan) {
        return new CellTimes(
                counter,
                plan.limits().parallelism().data(),
                Math.max(1, plan.limits().maxBatchedTokens()),
                Math.max(1, plan.pool().blockSize()),
                plan.limits().prefixCaching());
    }

    /**
     * The step of a decode cell at the middle of what is measured.
     *
     * @param contextTokens prompt tokens of each request
     * @param concurrency requests at once, over all replicas
     * @param outputTokens most tokens each generates
     * @param sharedPrefix whether all prompts are the same, and were seen before
     */
    public StepContent decodeStep(long contextTokens, int concurrency, long outputTokens, boolean sharedPrefix) {
        double context = contextTokens + Math.min((double) outputTokens, MEASURED_OUTPUT) / 2;
        boolean stored = sharedPrefix && prefixCaching;
        return new DecodeStep(perReplica(concurrency), context, stored ? contextTokens : 0, sharedPrefix);
    }

    /** Time between two tokens of a request in a decode cell; parameters as for {@link #decodeStep}. */
    public TimedSteps decode(long contextTokens, int concurrency, long outputTokens, boolean sharedPrefix) {
        StepContent step = decodeStep(contextTokens, concurrency, outputTokens, sharedPrefix);
        return new TimedSteps().add(counter.count(step), 1);
    }

    /** Time to process one prompt of {@code tokens} tokens, nothing cached. */
    public TimedSteps prefill(long tokens) {
        return prefill((double) Math.max(1, tokens), 0, FEW);
    }

    /** Seconds below which the card could not process a prompt, whatever the engine. */
    public double leastPrefillSeconds(long tokens) {
        return counter.leastSeconds(new PrefillStep(1, (double) Math.max(1, tokens), 0, true));
    }

    /** Requests that one replica gets. */
    int perReplica(int concurrency) {
        return (concurrency + replicas - 1) / replicas;
    }

    /** Tokens of a prompt that was seen before and is found in the cache: whole blocks, and never the last token. */
    long hitTokens(long promptTokens) {
        return prefixCaching && promptTokens > 0 ? (promptTokens - 1) / block * block : 0;
    }

    /** Time to process one prompt: {@code tokens} new ones after {@code cached} ones, in chunks of the budget. */
    TimedSteps prefill(double tokens, double cached, int samples) {
        TimedSteps steps = new TimedSteps();
        addPrefill(steps, tokens, cached, samples, 1);
        return steps;
    }

    /**
     * Mean time until each of {@code prompts} equal prompts is processed, first come first served, as many at once as the
     * budget holds.
     */
    TimedSteps meanPrefill(int prompts, double tokens, double cached, int samples) {
        TimedSteps steps = new TimedSteps();
        if (prompts == 1 || tokens * 2 > budget) {
            addPrefill(steps, tokens, cached, samples, (prompts + 1) / 2.0);
            return steps;
        }
        int together = (int) Math.min(prompts, Math.floor(budget / tokens));
        double rounds = Math.ceil((double) prompts / together);
        return steps.add(counter.count(new PrefillStep(together, tokens, cached, true)), (rounds + 1) / 2);
    }

    private void addPrefill(TimedSteps steps, double tokens, double cached, int samples, double weight) {
        long full = (long) Math.floor((tokens - 1) / budget);
        double done = (double) full * budget;
        steps.add(counter.count(new PrefillStep(1, tokens - done, cached + done, true)), weight);
        int taken = (int) Math.min(full, samples);
        for (int i = 0; i < taken; i++) {
            double chunk = taken == full ? i : (i + 0.5) * (double) full / taken - 0.5;
            PrefillStep step = new PrefillStep(1, budget, cached + chunk * budget, false);
            steps.add(counter.count(step), weight * (double) full / taken);
        }
    }
}
