package dev.kvcast.simulate;

import org.HdrHistogram.Histogram;

/** A distribution of times: exact mean, percentiles to three digits. */
public final class Distribution {

    private static final double UNITS_PER_SECOND = 1e6;
    private static final long MOST_UNITS = 3_600_000_000_000L;

    private final Histogram histogram = new Histogram(MOST_UNITS, 3);
    private double sum;
    private double largest;
    private long count;

    /** An empty distribution. */
    public Distribution() {}

    /** Adds one value in seconds. */
    public void add(double seconds) {
        add(seconds, 1);
    }

    /** Adds the same value several times. */
    public void add(double seconds, long times) {
        histogram.recordValueWithCount(Math.min(MOST_UNITS, Math.round(seconds * UNITS_PER_SECOND)), times);
        sum += seconds * times;
        largest = Math.max(largest, seconds);
        count += times;
    }

    /** Adds all values of another distribution. */
    public void addAll(Distribution other) {
        histogram.add(other.histogram);
        sum += other.sum;
        largest = Math.max(largest, other.largest);
        count += other.count;
    }

    /** Number of values. */
    public long count() {
        return count;
    }

    /** Mean in seconds; 0 without values. */
    public double meanSeconds() {
        return count == 0 ? 0 : sum / count;
    }

    /** Largest value in seconds. */
    public double maxSeconds() {
        return largest;
    }

    /** The value in seconds that {@code percent} percent do not exceed, to microseconds and three digits. */
    public double percentileSeconds(double percent) {
        return count == 0 ? 0 : histogram.getValueAtPercentile(percent) / UNITS_PER_SECOND;
    }

    /** Values that fall into the same bucket as {@code seconds}. */
    public long countAt(double seconds) {
        return histogram.getCountAtValue(Math.min(MOST_UNITS, Math.round(seconds * UNITS_PER_SECOND)));
    }

    /** Number of values above zero per bucket, in order, for comparisons. */
    public long[] buckets() {
        return java.util.stream.StreamSupport.stream(histogram.recordedValues().spliterator(), false)
                .mapToLong(value -> value.getCountAtValueIteratedTo())
                .toArray();
    }
}
