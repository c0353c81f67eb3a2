package dev.kvcast.plan;

import dev.kvcast.engine.Adjustment;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Engine;
import dev.kvcast.engine.Scenario;
import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which changes of the launch line help, found by planning each of them. */
final class Advice {

    /** Smallest gain worth a line, as a factor of the pool's tokens. */
    private static final double WORTH_SAYING = 1.03;

    private static final int MOST_LINES = 4;

    private Advice() {}

    /** The changes that help, most harmless first. */
    static List<Recommendation> of(Engine engine, Scenario scenario, BootPlan plan) {
        if (scenario.pinnedPoolBytes().isPresent()) {
            return List.of();
        }
        List<Recommendation> advice = new ArrayList<>();
        for (Adjustment adjustment : engine.adjustments(scenario)) {
            if (advice.size() == MOST_LINES) {
                break;
            }
            planned(engine, adjustment)
                    .flatMap(better -> compare(adjustment, plan, better))
                    .ifPresent(advice::add);
        }
        return advice;
    }

    private static Optional<BootPlan> planned(Engine engine, Adjustment adjustment) {
        try {
            return Optional.of(engine.plan(adjustment.scenario()));
        } catch (InputException e) {
            // A change the engine refuses is no advice.
            return Optional.empty();
        }
    }

    private static Optional<Recommendation> compare(Adjustment adjustment, BootPlan now, BootPlan better) {
        boolean rescues = now.failure().isPresent();
        double gain = rescues || now.pool().tokens() == 0
                ? 0
                : (double) better.pool().tokens() / now.pool().tokens();
        if (better.failure().isPresent() || (!rescues && gain < WORTH_SAYING)) {
            return Optional.empty();
        }
        return Optional.of(
                new Recommendation(adjustment.change(), rescues, better.pool().tokens(), gain, adjustment.caveat()));
    }
}
