package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.Workload;

/**
 * Questions behind a few system prompts, as inference-perf's {@code shared_prefix} generator asks them: users of every
 * system prompt take turns, and each question is new.
 *
 * @param arrivals when they come
 * @param systemTokens tokens of a system prompt
 * @param questionTokens tokens of a question
 * @param outputTokens tokens of an answer
 * @param prompts different system prompts
 * @param users users of each
 * @param extent how long they come
 * @param seed makes the run repeatable
 */
public record SharedPrefix(
        Arrivals arrivals,
        int systemTokens,
        int questionTokens,
        int outputTokens,
        int prompts,
        int users,
        Extent extent,
        long seed)
        implements Workload {

    /** Checks the numbers. */
    public SharedPrefix {
        if (systemTokens < 0 || questionTokens < 1 || outputTokens < 1 || prompts < 1 || users < 1) {
            throw InputException.badInput("shared-prefix with system prompt " + systemTokens + ", question "
                    + questionTokens + ", output " + outputTokens + ", prompts " + prompts + ", users " + users
                    + "; expected positive numbers (the system prompt may be 0)");
        }
    }

    @Override
    public void begin(RequestTable requests) {
        Randomness times = new Randomness(seed, 1);
        double now = 0;
        for (int i = 0; i < extent.requests(); i++) {
            now += arrivals.gap(times);
            if (now > extent.seconds()) {
                return;
            }
            requests.add(now, systemTokens + questionTokens, outputTokens);
            if (systemTokens > 0) {
                requests.sharing(i % (prompts * users) / users, systemTokens);
            }
        }
    }
}
