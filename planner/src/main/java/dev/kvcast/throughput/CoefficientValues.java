package dev.kvcast.throughput;

/** One value for every coefficient, ready for use. Immutable. */
public final class CoefficientValues {

    private final double[] values;

    private CoefficientValues(double[] values) {
        this.values = values;
    }

    /**
     * Values of numbers on the fitting scale.
     *
     * @param x one number per {@link Coefficient}, in their order
     */
    public static CoefficientValues of(double[] x) {
        Coefficient[] all = Coefficient.values();
        double[] values = new double[all.length];
        for (int i = 0; i < all.length; i++) {
            values[i] = all[i].value(x[i]);
        }
        return new CoefficientValues(values);
    }

    /** The value of a coefficient. */
    public double get(Coefficient coefficient) {
        return values[coefficient.index()];
    }

    /** The same with one coefficient at {@code x} on the fitting scale. */
    CoefficientValues with(Coefficient coefficient, double x) {
        double[] changed = values.clone();
        changed[coefficient.index()] = coefficient.value(x);
        return new CoefficientValues(changed);
    }
}
