package dev.kvcast.simulate;

import java.util.Arrays;

/**
 * A run over time in at most {@value #MOST_ROWS} rows: when they are full, pairs are merged and each row then covers
 * twice the time.
 */
public final class TimeSeries {

    /** Most rows. */
    public static final int MOST_ROWS = 512;

    private final double[] tokens = new double[MOST_ROWS];
    private final int[] running = new int[MOST_ROWS];
    private final int[] waiting = new int[MOST_ROWS];
    private final double[] usage = new double[MOST_ROWS];
    private double rowSeconds;
    private int rows;

    /**
     * An empty series.
     *
     * @param rowSeconds time that one row covers at first, positive
     */
    public TimeSeries(double rowSeconds) {
        this.rowSeconds = rowSeconds;
    }

    /** Books a stretch of time that produced tokens evenly, and how things stood at its end. */
    void add(double from, double to, double produced, int runningNow, int waitingNow, double usageNow) {
        while (to >= rowSeconds * MOST_ROWS) {
            halve();
        }
        int first = (int) (from / rowSeconds);
        int last = (int) (to / rowSeconds);
        if (first == last || to <= from) {
            tokens[last] += produced;
        } else {
            for (int row = first; row <= last; row++) {
                double overlap = Math.min(to, (row + 1) * rowSeconds) - Math.max(from, row * rowSeconds);
                tokens[row] += produced * overlap / (to - from);
            }
        }
        for (int row = Math.max(first, rows); row < last; row++) {
            set(row, runningNow, waitingNow, usageNow);
        }
        set(last, runningNow, waitingNow, usageNow);
        rows = Math.max(rows, last + 1);
    }

    private void set(int row, int runningNow, int waitingNow, double usageNow) {
        running[row] = Math.max(running[row], runningNow);
        waiting[row] = Math.max(waiting[row], waitingNow);
        usage[row] = Math.max(usage[row], usageNow);
    }

    private void halve() {
        for (int row = 0; row < MOST_ROWS / 2; row++) {
            int a = 2 * row;
            int b = a + 1;
            tokens[row] = tokens[a] + tokens[b];
            running[row] = Math.max(running[a], running[b]);
            waiting[row] = Math.max(waiting[a], waiting[b]);
            usage[row] = Math.max(usage[a], usage[b]);
        }
        Arrays.fill(tokens, MOST_ROWS / 2, MOST_ROWS, 0);
        Arrays.fill(running, MOST_ROWS / 2, MOST_ROWS, 0);
        Arrays.fill(waiting, MOST_ROWS / 2, MOST_ROWS, 0);
        Arrays.fill(usage, MOST_ROWS / 2, MOST_ROWS, 0);
        rows = (rows + 1) / 2;
        rowSeconds *= 2;
    }

    /** Rows filled. */
    public int rows() {
        return rows;
    }

    /** Time that each row covers, in seconds. */
    public double rowSeconds() {
        return rowSeconds;
    }

    /** Output tokens of a row. */
    public double tokens(int row) {
        return tokens[row];
    }

    /** Most requests running on one replica in a row. */
    public int running(int row) {
        return running[row];
    }

    /** Most requests waiting at one replica in a row. */
    public int waiting(int row) {
        return waiting[row];
    }

    /** Largest share of one replica's pool in use in a row. */
    public double usage(int row) {
        return usage[row];
    }
}
