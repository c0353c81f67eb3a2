package dev.kvcast.simulate.workload;

import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.Workload;
import java.util.ArrayList;
import java.util.List;

/** Requests as they were recorded. */
public final class Trace implements Workload {

    /**
     * One request.
     *
     * @param arrivalSeconds when it came, from the start of the trace
     * @param inputTokens prompt, 1 or more
     * @param outputTokens output, 1 or more
     * @param prefixes what its prompt shares with others, from the start
     */
    public record Row(double arrivalSeconds, int inputTokens, int outputTokens, List<Piece> prefixes) {
        /** Copies the list. */
        public Row {
            prefixes = List.copyOf(prefixes);
        }
    }

    /**
     * Tokens known by name.
     *
     * @param segment the name: the same name is the same tokens
     * @param tokens how many of them
     */
    public record Piece(long segment, int tokens) {}

    private final List<Row> rows;

    /** A trace, in order of arrival. */
    public Trace(List<Row> rows) {
        this.rows = List.copyOf(rows);
    }

    /** The requests. */
    public List<Row> rows() {
        return rows;
    }

    /** Requests per second over the trace; 0 when all come at once. */
    public double rate() {
        double span = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).arrivalSeconds();
        return span > 0 ? rows.size() / span : 0;
    }

    /** The same requests in the same order, when another process says. */
    public Trace arriving(Arrivals arrivals, long seed) {
        Randomness times = new Randomness(seed, 1);
        List<Row> moved = new ArrayList<>(rows.size());
        double now = 0;
        for (Row row : rows) {
            now += arrivals.gap(times);
            moved.add(new Row(now, row.inputTokens(), row.outputTokens(), row.prefixes()));
        }
        return new Trace(moved);
    }

    /** The same trace, faster or slower, so that it has another mean rate. */
    public Trace atRate(double requestsPerSecond) {
        double factor = rate() / requestsPerSecond;
        List<Row> moved = new ArrayList<>(rows.size());
        for (Row row : rows) {
            moved.add(new Row(row.arrivalSeconds() * factor, row.inputTokens(), row.outputTokens(), row.prefixes()));
        }
        return new Trace(moved);
    }

    @Override
    public void begin(RequestTable requests) {
        for (Row row : rows) {
            requests.add(row.arrivalSeconds(), row.inputTokens(), row.outputTokens());
            for (Piece piece : row.prefixes()) {
                requests.sharing(piece.segment(), piece.tokens());
            }
        }
    }
}
