package dev.kvcast.validator.fit;

import dev.kvcast.throughput.CellTimes;
import dev.kvcast.validator.results.MeasuredCell;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Takes from measured runs what a fit can use: valid decode and prefill cells of single prompts. A window that holds
 * prefill counts by its time between tokens and the requests that were active; one without a steady load does not count.
 */
public final class RunObservations {

    /** Output per request where a run says nothing. */
    private static final long USUAL_OUTPUT = 2048;

    private final CellTimes times;
    private final Map<String, List<Observation>> byLabel = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** Observations of one deployment, whose cells come from {@code times}. */
    public RunObservations(CellTimes times) {
        this.times = times;
    }

    /**
     * Adds the cells of a run.
     *
     * @param sharedPrefix whether the requests of a cell share their prompt
     */
    public void add(MeasuredRun run, boolean sharedPrefix) {
        int unsteady = 0;
        for (MeasuredCell cell : run.cells()) {
            if (!cell.valid()) {
                continue;
            }
            if (cell instanceof Prefill prefill) {
                add(prefill);
            } else if (cell instanceof Decode decode && steady(decode)) {
                add(run, decode, sharedPrefix);
            } else {
                unsteady++;
            }
        }
        if (unsteady > 0) {
            notes.add("cells left out, without a steady number of requests: " + unsteady);
        }
    }

    private static boolean steady(Decode cell) {
        return switch (cell.window()) {
            case DECODE -> true;
            case MIXED -> cell.reason().isEmpty();
            case OPEN_LOOP -> false;
        };
    }

    private void add(Prefill cell) {
        OptionalDouble rate = cell.speed().tokensPerSecond();
        if (cell.concurrency() == 1 && cell.contextTokens() > 0 && rate.isPresent()) {
            put(new Observation(BenchmarkCell.prefill(times, cell.contextTokens()), rate.getAsDouble()));
        }
    }

    private void add(MeasuredRun run, Decode cell, boolean sharedPrefix) {
        OptionalDouble rate = cell.decodeTokensPerSecond();
        if (rate.isPresent()) {
            int requests = (int) Math.max(1, Math.round(Math.min(cell.active(), cell.concurrency())));
            long output = outputTokens(run, cell);
            put(new Observation(
                    BenchmarkCell.decode(times, cell.contextTokens(), requests, output, sharedPrefix),
                    rate.getAsDouble()));
        }
    }

    private void put(Observation observation) {
        byLabel.computeIfAbsent(observation.cell().label(), label -> new ArrayList<>())
                .add(observation);
    }

    /** One observation for each cell: the mean rate of cells that several runs measured. */
    public List<Observation> observations() {
        List<Observation> means = new ArrayList<>();
        for (List<Observation> same : byLabel.values()) {
            double mean = same.stream()
                    .mapToDouble(Observation::tokensPerSecond)
                    .average()
                    .orElseThrow();
            means.add(new Observation(same.get(0).cell(), mean));
        }
        return means;
    }

    /** What was left out, one line each. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Most tokens that each request of a cell generates: the run's setting, else what they did generate. */
    public static long outputTokens(MeasuredRun run, Decode cell) {
        if (run.settings().maxOutputTokens().isPresent()) {
            return Math.max(1, run.settings().maxOutputTokens().getAsLong());
        }
        if (cell.sample().outputTokens().isPresent()) {
            long requests = Math.max(1, cell.sample().completedRequests().orElse(cell.concurrency()));
            return Math.max(1, cell.sample().outputTokens().getAsLong() / requests);
        }
        return USUAL_OUTPUT;
    }
}
