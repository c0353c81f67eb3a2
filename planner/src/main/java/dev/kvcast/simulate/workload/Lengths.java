package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;
import java.util.List;

/** How many tokens a prompt or an output has. */
public sealed interface Lengths {

    /** Longest length taken seriously, in tokens; a longer one is a typing error. */
    int LONGEST = 1 << 27;

    /** A length in tokens, 1 or more. */
    int next(Randomness random);

    /** Always the same. */
    record Constant(int tokens) implements Lengths {
        /** Checks the length. */
        public Constant {
            check(tokens);
        }

        @Override
        public int next(Randomness random) {
            return tokens;
        }
    }

    /** Every length of a range alike. */
    record Uniform(int least, int most) implements Lengths {
        /** Checks the range. */
        public Uniform {
            check(least);
            check(most);
            if (least > most) {
                throw InputException.badInput(
                        "uniform:" + least + ".." + most + " is empty; put the smaller one first");
            }
        }

        @Override
        public int next(Randomness random) {
            return random.between(least, most);
        }
    }

    /** Exponential, with a mean in tokens. */
    record Exponential(double mean) implements Lengths {
        /** Checks the mean. */
        public Exponential {
            check(mean);
        }

        @Override
        public int next(Randomness random) {
            return clamp(mean * random.exponential());
        }
    }

    /**
     * Log-normal, as lengths of real prompts roughly are.
     *
     * @param mean mean in tokens
     * @param deviation standard deviation in tokens
     */
    record LogNormal(double mean, double deviation) implements Lengths {
        /** Checks both. */
        public LogNormal {
            check(mean);
            if (!(deviation >= 0)) {
                throw InputException.badInput("lognormal deviation " + deviation + "; expected 0 or more");
            }
        }

        @Override
        public int next(Randomness random) {
            double variance = StrictMath.log1p(deviation * deviation / (mean * mean));
            double location = StrictMath.log(mean) - variance / 2;
            return clamp(StrictMath.exp(location + StrictMath.sqrt(variance) * random.normal()));
        }
    }

    /** Drawn from lengths that were seen. */
    record Empirical(List<Integer> seen) implements Lengths {
        /** Checks and copies the lengths. */
        public Empirical {
            seen = List.copyOf(seen);
            if (seen.isEmpty()) {
                throw InputException.badInput("no lengths to draw from");
            }
            seen.forEach(Lengths::check);
        }

        @Override
        public int next(Randomness random) {
            return seen.get(random.between(0, seen.size() - 1));
        }
    }

    private static int clamp(double tokens) {
        return (int) Math.max(1, Math.min(LONGEST, StrictMath.rint(tokens)));
    }

    private static void check(double tokens) {
        if (!(tokens >= 1 && tokens <= LONGEST)) {
            throw InputException.badInput("length of " + tokens + " tokens; expected 1 to " + LONGEST);
        }
    }
}
