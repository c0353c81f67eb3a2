package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.Workload;

/**
 * Questions behind a few system prompts, as inference-perf's {@code shared_prefix} generator asks them
 * ({@code shared_prefix_datagen.py}): every user has one question, made before the run, and the users take turns, so that
 * from the second round on whole prompts come again. A server that keeps prefixes then computes next to nothing of them;
 * more users than requests make every question new.
 *
 * @param arrivals when they come
 * @param systemTokens tokens of a system prompt
 * @param questionTokens tokens of a question
 * @param outputTokens tokens of an answer
 * @param prompts different system prompts
 * @param users users of each, with one question each
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
            int user = (int) (i % ((long) prompts * users));
            if (systemTokens > 0) {
                requests.sharing(user / users, systemTokens);
            }
            requests.sharing((long) prompts + user, questionTokens);
        }
    }
}
