package dev.kvcast.throughput;

/**
 * Constants of the step-time formula that belong to a fit but have no uncertainty of their own.
 *
 * @param overlapNorm power of the norm that joins reading and computing, above 1
 * @param distinctDraws power of the number of decoding sequences that choose experts independently, distinct prompts
 * @param alikeDraws the same where all sequences share their prompt
 * @param prefillDraws the same of prompt tokens
 * @param cacheShare factor of the bandwidth that attention reaches with the deployment's KV-cache type: unpacking some
 *     types takes longer than reading them
 * @param apiSeconds seconds between a request's arrival and its first step, and from the step to the client
 */
public record StepForm(
        double overlapNorm,
        double distinctDraws,
        double alikeDraws,
        double prefillDraws,
        double cacheShare,
        double apiSeconds) {

    /** Most that a narrower path can gain over the 16-bit one, in shares of its own peak. */
    static final double BEST_PATH_GAIN = 1.25;

    /** The same with another KV-cache type. */
    public StepForm withCacheShare(double share) {
        return new StepForm(overlapNorm, distinctDraws, alikeDraws, prefillDraws, share, apiSeconds);
    }

    StepWork.ExpertDraws expertDraws() {
        return new StepWork.ExpertDraws(distinctDraws, alikeDraws, prefillDraws);
    }
}
