package dev.kvcast.report;

import dev.kvcast.report.Table.Column;
import dev.kvcast.simulate.Distribution;
import dev.kvcast.simulate.RateSweep;
import dev.kvcast.simulate.SimulationResult;

/** A simulation as tables. */
public final class SimulationTable {

    private static final double MILLIS = 1000;

    private SimulationTable() {}

    /** One run in a sentence or two. */
    public static String headline(SimulationResult result) {
        StringBuilder text = new StringBuilder()
                .append(Units.count(result.completed()))
                .append(" of ")
                .append(Units.count(result.requests().size()))
                .append(" requests served in ")
                .append(Units.fixed(result.durationSeconds(), 1))
                .append(" s: ")
                .append(Units.fixed(result.outputTokensPerSecond(), 1))
                .append(" output tokens/s, ")
                .append(Units.fixed(result.requestsPerSecond(), 2))
                .append(" requests/s, ")
                .append(Units.count(result.preemptions()))
                .append(" preemptions, KV usage up to ")
                .append(Units.fixed(result.peakUsage() * 100, 1))
                .append("%, prefix hits ")
                .append(Units.fixed(result.prefixHitRate() * 100, 1))
                .append("%.\n");
        if (result.rejected() > 0) {
            text.append(Units.count(result.rejected())).append(" requests were longer than the server takes.\n");
        }
        if (result.saturated()) {
            text.append("Saturated: the load did not drain before the time limit.\n");
        }
        return text.append(result.interrupted() ? "Interrupted: this is what had been simulated.\n" : "")
                .toString();
    }

    /** Times of one run, in milliseconds. */
    public static Table times(SimulationResult result) {
        return Table.builder(
                        Column.words("ms"),
                        Column.numbers("mean"),
                        Column.numbers("p50"),
                        Column.numbers("p90"),
                        Column.numbers("p95"),
                        Column.numbers("p99"))
                .row(row("TTFT", result.timeToFirstToken()))
                .row(row("ITL", result.interToken()))
                .row(row("TPOT", result.perOutputToken()))
                .row(row("E2E", result.endToEnd()))
                .build();
    }

    /** A sweep, one rate a row. */
    public static Table sweep(RateSweep sweep) {
        Table.Builder table = Table.builder(
                Column.numbers("rate"),
                Column.numbers("tok/s"),
                Column.numbers("TTFT p99"),
                Column.numbers("TPOT p99"),
                Column.numbers("E2E p99"),
                Column.numbers("good"),
                Column.numbers("preempted"));
        for (RateSweep.Point point : sweep.points()) {
            SimulationResult result = point.result();
            table.row(
                    Units.fixed(point.rate(), 3),
                    Units.fixed(result.outputTokensPerSecond(), 1),
                    millis(result.timeToFirstToken(), 99),
                    millis(result.perOutputToken(), 99),
                    millis(result.endToEnd(), 99),
                    Units.fixed(result.goodShare() * 100, 1) + "%",
                    Units.count(result.preemptions()));
        }
        return table.build();
    }

    private static final String NOTHING = "-";

    private static String[] row(String name, Distribution times) {
        return new String[] {
            name,
            times.count() == 0 ? NOTHING : Units.fixed(times.meanSeconds() * MILLIS, 1),
            millis(times, 50),
            millis(times, 90),
            millis(times, 95),
            millis(times, 99)
        };
    }

    private static String millis(Distribution times, int percentile) {
        return times.count() == 0 ? NOTHING : Units.fixed(times.percentileSeconds(percentile) * MILLIS, 1);
    }
}
