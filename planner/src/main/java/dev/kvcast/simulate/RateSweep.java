package dev.kvcast.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

/**
 * Runs a workload at several rates, and finds the largest that keeps the objective.
 *
 * @param points the runs, by rate
 * @param largestRate the largest rate found at which enough requests keep the objective; empty if none does
 */
public record RateSweep(List<Point> points, Optional<Double> largestRate) {

    /** Share of requests that must keep the objective. */
    public static final double ENOUGH = 0.99;

    private static final int EVEN_POINTS = 9;
    private static final int BISECTIONS = 6;

    /** Copies the list. */
    public RateSweep {
        points = List.copyOf(points);
    }

    /**
     * One run.
     *
     * @param rate requests per second offered
     * @param result what came of it
     */
    public record Point(double rate, SimulationResult result) {
        /** Whether enough requests kept the objective, and everything was served. */
        public boolean keeps() {
            return !result.saturated() && result.goodShare() >= ENOUGH;
        }
    }

    /**
     * Sweeps.
     *
     * @param run runs the workload at a rate
     */
    public static RateSweep over(double low, double high, DoubleFunction<SimulationResult> run) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < EVEN_POINTS; i++) {
            double rate = low + (high - low) * i / (EVEN_POINTS - 1);
            Point point = new Point(rate, run.apply(rate));
            points.add(point);
            if (point.result().interrupted()) {
                return new RateSweep(points, Optional.empty());
            }
        }
        Optional<Double> largest = refine(points, run);
        points.sort(Comparator.comparingDouble(Point::rate));
        return new RateSweep(points, largest);
    }

    private static Optional<Double> refine(List<Point> points, DoubleFunction<SimulationResult> run) {
        int last = -1;
        for (int i = 0; i < points.size() && points.get(i).keeps(); i++) {
            last = i;
        }
        if (last < 0) {
            return Optional.empty();
        }
        double good = points.get(last).rate();
        if (last == points.size() - 1) {
            return Optional.of(good);
        }
        double bad = points.get(last + 1).rate();
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (good + bad) / 2;
            Point point = new Point(middle, run.apply(middle));
            points.add(point);
            if (point.keeps()) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return Optional.of(good);
    }
}
