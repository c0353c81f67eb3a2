package dev.kvcast.engine;

/**
 * A number of bytes with its 90% interval.
 *
 * @param value best estimate
 * @param low lower end
 * @param high upper end; {@code low <= value <= high}
 */
public record EstimatedBytes(long value, long low, long high) {

    /** Checks the order. */
    public EstimatedBytes {
        if (low > value || value > high) {
            throw new IllegalArgumentException("interval out of order: " + low + ", " + value + ", " + high);
        }
    }

    /** A number known exactly. */
    public static EstimatedBytes exactly(long value) {
        return new EstimatedBytes(value, value, value);
    }

    /** Whether the interval has no width. */
    public boolean exact() {
        return low == high;
    }
}
