package dev.kvcast.throughput;

import java.util.ArrayList;
import java.util.List;

/**
 * A time that is a weighted sum of step times, its steps counted once so that they can be timed under many coefficients.
 */
public final class TimedSteps {

    private final List<StepWork> steps = new ArrayList<>();
    private final List<Double> weights = new ArrayList<>();

    TimedSteps() {}

    /** Adds a step that takes part {@code weight} times. */
    TimedSteps add(StepWork step, double weight) {
        steps.add(step);
        weights.add(weight);
        return this;
    }

    /** The sum in seconds under the coefficients of {@code times}, which must be of the deployment they were counted for. */
    public double seconds(StepTime times) {
        double sum = 0;
        for (int i = 0; i < steps.size(); i++) {
            sum += weights.get(i) * times.seconds(steps.get(i));
        }
        return sum;
    }
}
