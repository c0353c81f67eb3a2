package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;

/** When requests come. */
public sealed interface Arrivals {

    /** Seconds from one request to the next. */
    double gap(Randomness random);

    /** Mean requests per second. */
    double rate();

    /** The same process at another rate. */
    Arrivals atRate(double other);

    /** Independent of each other. */
    record Poisson(double rate) implements Arrivals {
        /** Checks the rate. */
        public Poisson {
            check(rate);
        }

        @Override
        public double gap(Randomness random) {
            return random.exponential() / rate;
        }

        @Override
        public Arrivals atRate(double other) {
            return new Poisson(other);
        }
    }

    /** Evenly. */
    record Constant(double rate) implements Arrivals {
        /** Checks the rate. */
        public Constant {
            check(rate);
        }

        @Override
        public double gap(Randomness random) {
            return 1 / rate;
        }

        @Override
        public Arrivals atRate(double other) {
            return new Constant(other);
        }
    }

    /**
     * With gamma-distributed gaps, as vLLM's {@code --burstiness}.
     *
     * @param variation deviation of a gap over its mean: 1 is Poisson, more comes in clumps
     */
    record Gamma(double rate, double variation) implements Arrivals {
        /** Checks both. */
        public Gamma {
            check(rate);
            if (!(variation >= 0.001 && variation < 100)) {
                throw InputException.badInput("gamma variation " + variation + "; expected 0.001 or more, below 100");
            }
        }

        @Override
        public double gap(Randomness random) {
            double shape = 1 / (variation * variation);
            return random.gamma(shape) / (shape * rate);
        }

        @Override
        public Arrivals atRate(double other) {
            return new Gamma(other, variation);
        }
    }

    private static void check(double rate) {
        if (!(rate >= 1e-9 && rate <= 1e9)) {
            throw InputException.badInput("rate of " + rate + " requests per second; expected 1e-9 to 1e9");
        }
    }
}
