package dev.kvcast.simulate;

import dev.kvcast.throughput.DecodeOnly;
import dev.kvcast.throughput.StepContent;
import dev.kvcast.throughput.StepTime;
import java.util.Arrays;
import java.util.List;

/**
 * Step times of the calibrated model. Its time of a decode step is affine in the context, so for each number of sequences
 * it is asked once for the constant and once for every slope.
 */
public final class CalibratedClock implements StepClock {

    /** Context at which slopes are taken, in tokens per sequence; large, so that rounding does not matter. */
    private static final double PROBE = 1 << 16;

    private final StepTime times;
    private final long[] windows;
    /** By number of sequences: the time without context, then the slope of the full context and of each window. */
    private double[][] decode = new double[64][];

    /** A clock. */
    public CalibratedClock(StepTime times) {
        this.times = times;
        List<Long> list = times.windows();
        windows = list.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public int[] windows() {
        return Arrays.stream(windows)
                .mapToInt(window -> (int) Math.min(window, Integer.MAX_VALUE))
                .toArray();
    }

    @Override
    public double seconds(StepLoad load) {
        if (load.chunks() > 0 || load.decodeTokens() > load.sequences()) {
            return times.seconds(new Content(load));
        }
        double[] line = line(load.sequences());
        double seconds = line[0] + line[1] * load.contextTokens();
        for (int i = 0; i < windows.length; i++) {
            seconds += line[2 + i] * load.windowTokens(i);
        }
        return seconds;
    }

    private double[] line(int sequences) {
        if (sequences >= decode.length) {
            decode = Arrays.copyOf(decode, Math.max(sequences + 1, decode.length * 2));
        }
        double[] line = decode[sequences];
        if (line == null) {
            line = new double[2 + windows.length];
            double probe = PROBE * sequences;
            line[0] = times.seconds(new Probe(sequences, 0, -1, 0));
            line[1] = (times.seconds(new Probe(sequences, probe, -1, 0)) - line[0]) / probe;
            for (int i = 0; i < windows.length; i++) {
                line[2 + i] = (times.seconds(new Probe(sequences, 0, windows[i], probe)) - line[0]) / probe;
            }
            decode[sequences] = line;
        }
        return line;
    }

    /** A decode step with context in one place only. */
    private record Probe(int sequences, double full, long window, double capped) implements DecodeOnly {

        @Override
        public double contextTokens(long cap) {
            return cap == window ? capped : cap == Long.MAX_VALUE ? full : 0;
        }

        @Override
        public long sharedTokens() {
            return 0;
        }

        @Override
        public boolean alike() {
            return false;
        }
    }

    /** A load as the model wants it; sequences with drafts count as short chunks would. */
    private final class Content implements StepContent {

        private final StepLoad load;

        Content(StepLoad load) {
            this.load = load;
        }

        @Override
        public int sequences() {
            // Drafts are verified as so many tokens: each is a row in every matrix.
            return load.decodeTokens();
        }

        @Override
        public double contextTokens(long cap) {
            for (int i = 0; i < windows.length; i++) {
                if (windows[i] == cap) {
                    return load.windowTokens(i);
                }
            }
            return load.contextTokens();
        }

        @Override
        public long sharedTokens() {
            return 0;
        }

        @Override
        public boolean alike() {
            return false;
        }

        @Override
        public int chunks() {
            return load.chunks();
        }

        @Override
        public double chunkTokens(int index) {
            return load.chunkTokens(index);
        }

        @Override
        public double chunkContext(int index) {
            return load.chunkContext(index);
        }

        @Override
        public boolean chunkIsLast(int index) {
            return load.chunkIsLast(index);
        }
    }
}
