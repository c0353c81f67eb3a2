package dev.kvcast.throughput;

/**
 * Seconds of prompts that are processed in chunks of a step's token budget.
 *
 * @param budget tokens of one step
 */
record PrefillTime(int budget) {

    /** Full chunks beyond which the sum over them is taken from evenly spread samples. */
    private static final int FEW = 16;

    /** Seconds of one prompt of {@code tokens} new tokens after {@code cached} ones. */
    double seconds(StepTime steps, double tokens, double cached) {
        return seconds(steps, tokens, cached, FEW);
    }

    /** The same, less exact: enough to tell how the time changes with a coefficient. */
    double roughSeconds(StepTime steps, double tokens, double cached) {
        return seconds(steps, tokens, cached, 3);
    }

    /**
     * Mean seconds until each of {@code prompts} equal prompts is done, first come first served: as many at once as the
     * budget holds.
     */
    double meanSeconds(StepTime steps, int prompts, double tokens, double cached, boolean rough) {
        if (prompts == 1 || tokens * 2 > budget) {
            double one = rough ? roughSeconds(steps, tokens, cached) : seconds(steps, tokens, cached);
            return one * (prompts + 1) / 2;
        }
        int together = (int) Math.min(prompts, Math.floor(budget / tokens));
        double step = steps.seconds(new PrefillStep(together, tokens, cached, true));
        double rounds = Math.ceil((double) prompts / together);
        return step * (rounds + 1) / 2;
    }

    private double seconds(StepTime steps, double tokens, double cached, int samples) {
        long full = (long) Math.floor((tokens - 1) / budget);
        double rest = tokens - (double) full * budget;
        double sum = steps.seconds(new PrefillStep(1, rest, cached + (double) full * budget, true));
        int taken = (int) Math.min(full, samples);
        for (int i = 0; i < taken; i++) {
            double chunk = taken == full ? i : (i + 0.5) * full / taken - 0.5;
            sum += steps.seconds(new PrefillStep(1, budget, cached + chunk * budget, false)) * full / taken;
        }
        return sum;
    }
}
