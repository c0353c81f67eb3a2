package dev.kvcast.plan;

import dev.kvcast.capacity.Verdict;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import java.util.List;
import java.util.Optional;

/**
 * The answer to "will this fit".
 *
 * @param id the caller's label
 * @param scenario what was planned
 * @param plan the predicted boot
 * @param verdict {@code fits} when it boots even at the low end of the pool's interval, {@code tight} when only at the
 *     best estimate, {@code over} when the engine would refuse to start
 * @param reason why, in one sentence
 * @param advice changes worth making, each recomputed
 * @param warnings what the user should know
 */
public record Fit(
        Optional<String> id,
        Scenario scenario,
        BootPlan plan,
        Verdict verdict,
        String reason,
        List<Recommendation> advice,
        List<String> warnings) {

    /** Copies the lists. */
    public Fit {
        advice = List.copyOf(advice);
        warnings = List.copyOf(warnings);
    }
}
