package dev.kvcast.plan;

import dev.kvcast.simulate.StepClock;
import dev.kvcast.simulate.StepLoad;
import dev.kvcast.throughput.SpeedModel;
import dev.kvcast.throughput.StepContent;
import dev.kvcast.throughput.StepTime;
import java.util.List;

/**
 * The step-time model as the simulator's clock. Steps with prompt chunks are timed as they are. Pure decode steps are
 * timed by a line through two points for each number of sequences, which is what the model is for attention that reads
 * its cache (exactly so without latent attention), so that runs of them have closed sums. Not for use by several threads.
 */
public final class SpeedClock implements StepClock {

    /** Context per sequence at which the second point of a line lies. */
    private static final double PROBE_TOKENS = 4096;

    private final StepTime time;
    private final long[] windows;
    private double[][] lines = new double[0][];

    /** The clock of a planned deployment. */
    public SpeedClock(SpeedModel model) {
        this.time = model.stepTime();
        List<Long> limits = time.windows();
        this.windows = limits.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public int[] windows() {
        int[] tokens = new int[windows.length];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = (int) Math.min(windows[i], Integer.MAX_VALUE);
        }
        return tokens;
    }

    @Override
    public double seconds(StepLoad load) {
        boolean drafted = load.decodeTokens() != load.sequences();
        if (load.chunks() > 0 || drafted) {
            return time.seconds(new Content(load));
        }
        double[] line = line(load.sequences());
        double seconds = line[0] + line[1] * load.contextTokens();
        for (int i = 0; i < windows.length; i++) {
            seconds += line[2 + i] * load.windowTokens(i);
        }
        return seconds;
    }

    /** Seconds without context, per cached token, and per token within each window, for a number of sequences. */
    private double[] line(int sequences) {
        if (sequences >= lines.length) {
            double[][] longer = new double[Math.max(sequences + 1, 2 * lines.length)][];
            System.arraycopy(lines, 0, longer, 0, lines.length);
            lines = longer;
        }
        double[] known = lines[sequences];
        if (known != null) {
            return known;
        }
        double[] line = new double[2 + windows.length];
        line[0] = time.seconds(new Probe(sequences, -1, 0));
        double tokens = Math.max(1, sequences) * PROBE_TOKENS;
        line[1] = (time.seconds(new Probe(sequences, Long.MAX_VALUE, tokens)) - line[0]) / tokens;
        for (int i = 0; i < windows.length; i++) {
            double within = Math.max(1, sequences) * (double) windows[i];
            line[2 + i] = (time.seconds(new Probe(sequences, windows[i], within)) - line[0]) / within;
        }
        lines[sequences] = line;
        return line;
    }

    /**
     * Decoding sequences of which only one capped sum is not zero.
     *
     * @param cap the window whose sum it is
     * @param tokens that sum
     */
    private record Probe(int sequences, long cap, double tokens) implements StepContent {
        @Override
        public double contextTokens(long limit) {
            return limit == cap ? tokens : 0;
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
            return 0;
        }

        @Override
        public double chunkTokens(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public double chunkContext(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public boolean chunkIsLast(int index) {
            throw new IndexOutOfBoundsException(index);
        }
    }

    /** A simulated step as the model reads it; draft tokens count as sequences of their own. */
    private final class Content implements StepContent {
        private final StepLoad load;

        Content(StepLoad load) {
            this.load = load;
        }

        @Override
        public int sequences() {
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
