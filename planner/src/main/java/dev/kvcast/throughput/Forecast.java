package dev.kvcast.throughput;

/**
 * A predicted positive number with its 90% interval.
 *
 * @param value best estimate
 * @param low 5% of outcomes are below
 * @param high 5% of outcomes are above
 */
public record Forecast(double value, double low, double high) {

    /** Standard deviations from the middle of a normal distribution to the ends of its 90% interval. */
    private static final double DEVIATIONS = 1.645;

    /** Checks that the interval holds the value. */
    public Forecast {
        if (!(low >= 0 && low <= value && value <= high && Double.isFinite(high))) {
            throw new IllegalArgumentException("no interval: " + low + " <= " + value + " <= " + high);
        }
    }

    /** A number whose logarithm has that standard deviation. */
    public static Forecast logNormal(double value, double deviation) {
        double factor = Math.exp(DEVIATIONS * deviation);
        return new Forecast(value, value / factor, value * factor);
    }

    /** The same, but never promising less than {@code least}. */
    public Forecast atLeast(double least) {
        return new Forecast(value, Math.min(value, Math.max(low, least)), high);
    }

    /** The number times a known positive factor. */
    public Forecast times(double factor) {
        return new Forecast(value * factor, low * factor, high * factor);
    }

    /** A known positive number over this one: a rate from a time, a time from a rate. */
    public Forecast dividing(double numerator) {
        return new Forecast(numerator / value, numerator / high, numerator / low);
    }

    /** Whether a measurement lies in the interval. */
    public boolean covers(double measured) {
        return measured >= low && measured <= high;
    }
}
