package dev.kvcast.validator.fit;

import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.BootFeatures;
import dev.kvcast.model.ModelConfig;
import java.util.OptionalLong;

/**
 * A boot with its forms, ready to be fitted or judged.
 *
 * @param boot the row
 * @param modelKey model of the same shape, for leaving models out
 * @param card card, for leaving cards out
 * @param features forms of the rank with least room
 * @param availableBytes pool as printed, or as the printed tokens imply
 */
record FitRow(Boot boot, String modelKey, String card, BootFeatures features, double availableBytes) {

    private static final double GIB = 1L << 30;

    /** Reads the forms of a boot. */
    static FitRow of(Boot boot, Scenario scenario) {
        ModelConfig model = scenario.model();
        BootFeatures features = BootFeatures.of(scenario);
        double available = boot.availableGib().isPresent()
                ? boot.availableGib().getAsDouble() * GIB
                : implied(boot.printedTokens(), features);
        String key = model.modelType() + " " + model.hiddenSize() + "x"
                + model.layers().size();
        return new FitRow(boot, key, scenario.accelerator().name(), features, available);
    }

    /** The middle of the pools that print so many tokens. */
    private static double implied(OptionalLong tokens, BootFeatures features) {
        if (tokens.isEmpty()) {
            return Double.NaN;
        }
        long wanted = tokens.getAsLong();
        long low = least(wanted, features);
        long high = least(wanted + 1, features);
        return (low + high) / 2.0;
    }

    private static long least(long tokens, BootFeatures features) {
        long low = 0;
        long high = 1L << 44;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (features.layout().tokens(middle) >= tokens) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Weights in bytes: as printed, where they were. */
    double weightBytes() {
        return boot.weightsGib().isPresent() ? boot.weightsGib().getAsDouble() * GIB : features.weightBytes();
    }

    /** What profiling took beside the weights, in GiB. */
    double nonKvGib() {
        return (features.requestedBytes() - availableBytes - weightBytes()) / GIB;
    }

    double availableGib() {
        return availableBytes / GIB;
    }
}
