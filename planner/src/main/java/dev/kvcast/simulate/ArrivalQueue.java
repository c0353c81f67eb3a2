package dev.kvcast.simulate;

import java.util.Arrays;

/** Requests by the time they reach an engine, equal times in order of their rows: a binary heap of primitives. */
final class ArrivalQueue {

    private double[] times = new double[64];
    private int[] rows = new int[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** When the next request arrives; infinity without one. */
    double nextSeconds() {
        return size == 0 ? Double.POSITIVE_INFINITY : times[0];
    }

    void add(int row, double time) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            rows = Arrays.copyOf(rows, size * 2);
        }
        int hole = size++;
        while (hole > 0 && before(time, row, (hole - 1) >>> 1)) {
            move((hole - 1) >>> 1, hole);
            hole = (hole - 1) >>> 1;
        }
        times[hole] = time;
        rows[hole] = row;
    }

    /** Removes the next request. */
    int poll() {
        int first = rows[0];
        double time = times[--size];
        int row = rows[size];
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && before(times[child + 1], rows[child + 1], child)) {
                child++;
            }
            if (before(time, row, child)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        times[hole] = time;
        rows[hole] = row;
        return first;
    }

    private boolean before(double time, int row, int index) {
        return time < times[index] || (time == times[index] && row < rows[index]);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        rows[to] = rows[from];
    }
}
