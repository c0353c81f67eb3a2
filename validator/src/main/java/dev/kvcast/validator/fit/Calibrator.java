package dev.kvcast.validator.fit;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import dev.kvcast.model.InputException;
import dev.kvcast.throughput.CellTimes;
import dev.kvcast.throughput.CoefficientValues;
import dev.kvcast.throughput.Coefficients;
import dev.kvcast.throughput.DeploymentWork;
import dev.kvcast.throughput.Residuals;
import dev.kvcast.throughput.StepForm;
import dev.kvcast.throughput.StepTime;
import dev.kvcast.throughput.WorkCounter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Fits a few coefficients of one deployment to measured cells, with the default coefficients as prior. Eight unknowns with
 * priors need no more than a handful of cells; with fewer than {@value #FEWEST_CELLS} the defaults are as good.
 */
public final class Calibrator {

    /** Fewest cells worth fitting. */
    public static final int FEWEST_CELLS = 3;

    /** Expected deviation of a measured cell, as a share of its rate. */
    private static final double CELL_DEVIATION = 0.01;

    /** Deviation that the fit's own residuals are mixed with, and for how many cells it counts. */
    private static final double USUAL_DEVIATION = 0.015;

    private static final double USUAL_CELLS = 4;

    /** Unknowns that the prior leaves to the data, as a share of all. */
    private static final double FREE_SHARE = 0.6;

    /** Student's t over the normal quantile at 90%, for about this many cells. */
    private static final double QUANTILE_RATIO = 1.70 / 1.645;

    /** How far above the physical limit a rate may be through rounding and the card's boost. */
    private static final double LIMIT_TOLERANCE = 1.03;

    private final Scenario scenario;
    private final BootPlan plan;
    private final Coefficients defaults;
    private final DeploymentWork work;
    private final StepForm form;

    /** A calibrator of one planned deployment. */
    public Calibrator(Scenario scenario, BootPlan plan, Coefficients defaults) {
        this.scenario = scenario;
        this.plan = plan;
        this.defaults = defaults;
        this.work = WorkCounter.of(scenario, plan);
        this.form = defaults.formFor(plan.kernels().cacheDtype());
    }

    /** What cells of this deployment are made of; the cells given to the other methods come from it. */
    public CellTimes times() {
        return CellTimes.of(steps(work, defaults.estimates()), plan);
    }

    /**
     * The most probable coefficients.
     *
     * @throws InputException for too few cells, a cell measured twice, or a rate that is no positive number or above what
     *     the card can do
     */
    public Calibration calibrate(List<Observation> observations) {
        check(observations);
        boolean unthrottled = observations.stream().anyMatch(this::needsFullRate);
        DeploymentWork on = unthrottled ? work.unthrottled() : work;
        List<FreeCoefficient> free = free(observations);
        double[] priors = free.stream().mapToDouble(FreeCoefficient::deviation).toArray();
        RobustFit fit = RobustFit.of(
                shifts -> residuals(observations, steps(on, shifted(free, shifts)), CELL_DEVIATION), priors);
        double[] x = shifted(free, fit.shifts());
        double variance = variance(observations, steps(on, x), fit.weights(), free.size());
        Coefficients found = defaults.calibrated(
                x,
                covariance(free, fit, variance, phases(observations)),
                residuals(Math.sqrt(variance), phases(observations)),
                unthrottled);
        List<Calibration.Cell> cells = new ArrayList<>();
        for (int i = 0; i < observations.size(); i++) {
            BenchmarkCell cell = observations.get(i).cell();
            cells.add(new Calibration.Cell(
                    cell.label(),
                    observations.get(i).tokensPerSecond(),
                    cell.rate(steps(work, defaults.estimates())),
                    cell.rate(steps(on, x)),
                    fit.weights()[i]));
        }
        return new Calibration(found, cells);
    }

    /** Which of the cells to measure, most useful first. */
    public List<Suggestion> suggest(List<BenchmarkCell> candidates, int count) {
        return suggest(List.of(), candidates, count);
    }

    /**
     * Which of the cells to measure next, most useful first.
     *
     * @param measured cells that were measured already
     */
    public List<Suggestion> suggest(List<BenchmarkCell> measured, List<BenchmarkCell> candidates, int count) {
        Set<BenchmarkCell.Phase> phases = EnumSet.noneOf(BenchmarkCell.Phase.class);
        candidates.forEach(cell -> phases.add(cell.phase()));
        List<FreeCoefficient> free = free(phases);
        return new SuggestCells(measured, candidates, free, shifts -> steps(work, shifted(free, shifts))).best(count);
    }

    private List<FreeCoefficient> free(List<Observation> observations) {
        return free(phases(observations));
    }

    private List<FreeCoefficient> free(Set<BenchmarkCell.Phase> phases) {
        return FreeCoefficient.of(
                phases, work.exchange().ranks() > 1, work.exchange().link().kind());
    }

    private static Set<BenchmarkCell.Phase> phases(List<Observation> observations) {
        Set<BenchmarkCell.Phase> phases = EnumSet.noneOf(BenchmarkCell.Phase.class);
        observations.forEach(observation -> phases.add(observation.cell().phase()));
        return phases;
    }

    private StepTime steps(DeploymentWork on, double[] x) {
        return new StepTime(on, CoefficientValues.of(x), form);
    }

    private double[] shifted(List<FreeCoefficient> free, double[] shifts) {
        double[] x = defaults.estimates();
        for (int i = 0; i < shifts.length; i++) {
            x[free.get(i).coefficient().index()] += shifts[i];
        }
        return x;
    }

    private static double[] residuals(List<Observation> observations, StepTime steps, double deviation) {
        return observations.stream()
                .mapToDouble(seen -> Math.log(seen.cell().rate(steps) / seen.tokensPerSecond()) / deviation)
                .toArray();
    }

    /** Residual variance, outliers discounted, mixed with the usual one so that a lucky fit does not promise too much. */
    private static double variance(List<Observation> observations, StepTime steps, double[] weights, int unknowns) {
        double[] residuals = residuals(observations, steps, 1);
        double sum = USUAL_CELLS * USUAL_DEVIATION * USUAL_DEVIATION;
        for (int i = 0; i < residuals.length; i++) {
            sum += Math.min(1, weights[i]) * residuals[i] * residuals[i];
        }
        return sum / Math.max(USUAL_CELLS / 2, residuals.length - FREE_SHARE * unknowns + USUAL_CELLS);
    }

    /** What was fitted gets the fit's covariance; what was not measured keeps the default's; the rest is as measured. */
    private double[][] covariance(
            List<FreeCoefficient> free, RobustFit fit, double variance, Set<BenchmarkCell.Phase> phases) {
        double[][] before = defaults.covarianceMatrix();
        double[][] after = new double[before.length][before.length];
        boolean keepPrefill = !phases.contains(BenchmarkCell.Phase.PREFILL);
        for (var one : FreeCoefficient.PREFILL_ONLY) {
            for (var other : FreeCoefficient.PREFILL_ONLY) {
                after[one.index()][other.index()] = keepPrefill ? before[one.index()][other.index()] : 0;
            }
        }
        double scale = Math.max(1, variance / (CELL_DEVIATION * CELL_DEVIATION));
        for (int i = 0; i < free.size(); i++) {
            for (int j = 0; j < free.size(); j++) {
                after[free.get(i).coefficient().index()][
                                free.get(j).coefficient().index()] =
                        scale * fit.covariance().getEntry(i, j);
            }
        }
        return after;
    }

    private Residuals residuals(double deviation, Set<BenchmarkCell.Phase> phases) {
        Residuals usual = defaults.residuals();
        double own = QUANTILE_RATIO * deviation;
        boolean prefill = phases.contains(BenchmarkCell.Phase.PREFILL);
        boolean decode = phases.contains(BenchmarkCell.Phase.DECODE);
        return new Residuals(
                decode ? Math.min(own, usual.decode()) : usual.decode(),
                prefill ? Math.min(own, usual.prefill()) : usual.prefill(),
                usual.shortPrefill(),
                usual.firstToken());
    }

    /** Whether a rate is above what the listed tensor rate allows, as on cards whose throttle was removed. */
    private boolean needsFullRate(Observation seen) {
        double share = work.accelerator().fullRateShare();
        return share < 1
                && seen.cell().phase() == BenchmarkCell.Phase.PREFILL
                && seen.cell().tokens() / seen.tokensPerSecond() < seen.cell().leastSeconds() / share / LIMIT_TOLERANCE;
    }

    private void check(List<Observation> observations) {
        if (observations.size() < FEWEST_CELLS) {
            throw InputException.badInput("calibrating needs " + FEWEST_CELLS + " valid cells or more, and the run has "
                    + observations.size() + "; measure more, calibrate --suggest says which");
        }
        Set<String> seen = new HashSet<>();
        for (Observation observation : observations) {
            String label = observation.cell().label();
            double rate = observation.tokensPerSecond();
            require(observation, one -> rate > 0 && Double.isFinite(rate), "expected a positive number");
            double limit = observation.cell().tokens() / observation.cell().leastSeconds();
            require(
                    observation,
                    one -> rate <= limit * LIMIT_TOLERANCE,
                    "the limit of " + scenario.accelerator().name() + " is " + Math.round(limit)
                            + "; check its unit, the card and the model");
            if (!seen.add(label)) {
                throw InputException.badInput("cell " + label + " was measured twice; keep one of them");
            }
        }
    }

    private static void require(Observation seen, Predicate<Observation> condition, String otherwise) {
        if (!condition.test(seen)) {
            throw InputException.badInput(
                    "cell " + seen.cell().label() + " has " + seen.tokensPerSecond() + " tok/s; " + otherwise);
        }
    }
}
