package dev.kvcast.cli;

import dev.kvcast.report.Units;
import dev.kvcast.simulate.SimulationSettings;
import java.io.PrintWriter;

/** One line on a terminal that says how far a run is and how long it will still take. */
final class ProgressBar implements SimulationSettings.Progress {

    private static final int WIDTH = 30;
    private static final long NANOS_BETWEEN = 200_000_000;
    private static final long PATIENCE_NANOS = 1_000_000_000;

    private final PrintWriter terminal;
    private final long start = System.nanoTime();
    private long shown;
    private boolean visible;

    ProgressBar(PrintWriter terminal) {
        this.terminal = terminal;
        shown = start;
    }

    @Override
    public void at(int ended, int known, double simulatedSeconds) {
        long now = System.nanoTime();
        // A run that is over at once needs no bar.
        if (now - start < PATIENCE_NANOS || now - shown < NANOS_BETWEEN || known == 0) {
            return;
        }
        shown = now;
        visible = true;
        double share = (double) ended / known;
        int full = (int) (share * WIDTH);
        double left = share > 0 ? (now - start) / 1e9 * (1 - share) / share : 0;
        terminal.print("\r[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] " + Units.fixed(share * 100, 1)
                + "% of " + Units.count(known) + " requests, " + Units.fixed(left, 0) + " s left   ");
        terminal.flush();
    }

    /** Removes the line. */
    void clear() {
        if (visible) {
            terminal.print("\r" + " ".repeat(WIDTH + 60) + "\r");
            terminal.flush();
            visible = false;
        }
    }
}
