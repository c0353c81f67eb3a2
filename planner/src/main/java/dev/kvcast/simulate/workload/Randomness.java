package dev.kvcast.simulate.workload;

/**
 * A stream of random numbers: xoshiro256++ (Blackman and Vigna, 2019), seeded by SplitMix64. Its own code, and
 * {@link StrictMath}, so that a seed gives the same numbers on every platform and every Java.
 */
public final class Randomness {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long s0;
    private long s1;
    private long s2;
    private long s3;

    /**
     * A stream.
     *
     * @param seed the run's seed
     * @param purpose keeps streams of one seed apart, so that changing one leaves the others alone
     */
    public Randomness(long seed, int purpose) {
        long state = seed ^ (purpose * 0xD1B54A32D192ED03L);
        s0 = scramble(state += GOLDEN);
        s1 = scramble(state += GOLDEN);
        s2 = scramble(state += GOLDEN);
        s3 = scramble(state + GOLDEN);
    }

    private static long scramble(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** 64 random bits. */
    public long nextLong() {
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long t = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = Long.rotateLeft(s3, 45);
        return result;
    }

    /** Uniform over [0, 1). */
    public double uniform() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Uniform over {@code low} to {@code high}, both included. */
    public int between(int low, int high) {
        return low + (int) (uniform() * (high - low + 1.0));
    }

    /** Exponential with mean 1. */
    public double exponential() {
        return -StrictMath.log1p(-uniform());
    }

    /** Normal with mean 0 and deviation 1 (Marsaglia's polar method). */
    public double normal() {
        while (true) {
            double x = 2 * uniform() - 1;
            double y = 2 * uniform() - 1;
            double square = x * x + y * y;
            if (square > 0 && square < 1) {
                return x * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
            }
        }
    }

    /** Gamma with that shape and mean {@code shape} (Marsaglia and Tsang, 2000). */
    public double gamma(double shape) {
        if (shape < 1) {
            return gamma(shape + 1) * StrictMath.pow(1 - uniform(), 1 / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / StrictMath.sqrt(9 * d);
        while (true) {
            double x = normal();
            double v = 1 + c * x;
            double cubed = v * v * v;
            if (v > 0 && StrictMath.log(1 - uniform()) < 0.5 * x * x + d - d * cubed + d * StrictMath.log(cubed)) {
                return d * cubed;
            }
        }
    }
}
