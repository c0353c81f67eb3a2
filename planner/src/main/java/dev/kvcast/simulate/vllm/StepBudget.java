package dev.kvcast.simulate.vllm;

/** What is left of a step while it is being filled. */
final class StepBudget {

    /** Number of the step, from 1. */
    long step;
    /** Whether a running request that is still in its prefill is part of the step. */
    boolean prefillScheduled;

    private int tokens;
    private int inputs;
    private int draftSlots;
    private int prefillLimit;

    /** Starts a step in which {@code eligible} requests run or wait. */
    void begin(SchedulerSettings settings, int eligible) {
        step++;
        prefillScheduled = false;
        tokens = settings.maxScheduledTokens();
        inputs = settings.maxBatchedTokens();
        draftSlots = settings.speculation().draftSlots();
        // Alone, a long prompt starves nobody.
        prefillLimit = eligible > 1 ? settings.longPrefillThreshold() : 0;
        if (prefillLimit > 0 && settings.adaptiveThreshold()) {
            prefillLimit = Math.max(prefillLimit, inputs / eligible);
        }
    }

    /** Whether a whole step has room for one token of each of so many requests. */
    boolean holds(SchedulerSettings settings, int sequences) {
        return sequences > 0 && sequences <= settings.maxScheduledTokens() && sequences <= settings.maxBatchedTokens();
    }

    /** Whether another request can be looked at. */
    boolean hasRoom() {
        return tokens > 0 && inputs > draftSlots;
    }

    /** Most tokens that one request can still get. */
    int left() {
        return Math.min(tokens, inputs - draftSlots);
    }

    /** As many of the missing tokens as one request may get. */
    int limit(int missing) {
        return Math.min(limitPrefill(missing), left());
    }

    /** As many of the missing tokens as the threshold for long prompts allows. */
    int limitPrefill(int missing) {
        return prefillLimit > 0 && prefillLimit < missing ? prefillLimit : missing;
    }

    /** Spends the tokens of one request. */
    void take(int newTokens) {
        tokens -= newTokens;
        inputs -= newTokens + draftSlots;
    }

    /** Takes back what a request was given. */
    void giveBack(int newTokens) {
        tokens += newTokens;
        inputs += newTokens + draftSlots;
    }
}
