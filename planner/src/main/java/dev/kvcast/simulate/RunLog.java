package dev.kvcast.simulate;

import java.util.Arrays;

/** What became of each request: one row each, times in seconds. */
public final class RunLog {

    /** How a request ended. */
    public enum Fate {
        /** Not yet: the run stopped before. */
        PENDING,
        /** It got all its tokens. */
        COMPLETED,
        /** The server refused it, because it is longer than a sequence may be. */
        REJECTED
    }

    private static final byte COMPLETED = 1;
    private static final byte REJECTED = 2;

    private double[] scheduled = new double[64];
    private double[] first = new double[64];
    private double[] last = new double[64];
    private int[] preemptions = new int[64];
    private int[] cached = new int[64];
    private byte[] fate = new byte[64];

    /** An empty log. */
    public RunLog() {}

    /** Makes room for that many rows. */
    void ensure(int rows) {
        if (rows > scheduled.length) {
            int capacity = Math.max(rows, scheduled.length * 2);
            scheduled = Arrays.copyOf(scheduled, capacity);
            first = Arrays.copyOf(first, capacity);
            last = Arrays.copyOf(last, capacity);
            preemptions = Arrays.copyOf(preemptions, capacity);
            cached = Arrays.copyOf(cached, capacity);
            fate = Arrays.copyOf(fate, capacity);
        }
    }

    void open(int row) {
        scheduled[row] = Double.NaN;
        first[row] = Double.NaN;
        last[row] = Double.NaN;
    }

    void schedule(int row, double time) {
        if (Double.isNaN(scheduled[row])) {
            scheduled[row] = time;
        }
    }

    void token(int row, double time) {
        if (Double.isNaN(first[row])) {
            first[row] = time;
        }
        last[row] = time;
    }

    void lastToken(int row, double time) {
        last[row] = time;
    }

    void complete(int row, int timesPreempted, int cachedTokens) {
        preemptions[row] = timesPreempted;
        cached[row] = cachedTokens;
        fate[row] = COMPLETED;
    }

    void reject(int row) {
        fate[row] = REJECTED;
    }

    /** When the request was first part of a step; not a number before. */
    public double scheduledSeconds(int row) {
        return scheduled[row];
    }

    /** When its first token was there; not a number before. */
    public double firstTokenSeconds(int row) {
        return first[row];
    }

    /** When its latest token was there; not a number before the first. */
    public double lastTokenSeconds(int row) {
        return last[row];
    }

    /** How often it was preempted. */
    public int preemptions(int row) {
        return preemptions[row];
    }

    /** Prompt tokens found in the cache when it was first admitted. */
    public int cachedTokens(int row) {
        return cached[row];
    }

    /** How it ended. */
    public Fate fate(int row) {
        return switch (fate[row]) {
            case COMPLETED -> Fate.COMPLETED;
            case REJECTED -> Fate.REJECTED;
            default -> Fate.PENDING;
        };
    }
}
