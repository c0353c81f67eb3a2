package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.Weight.Split;

/** Tensors that vision and audio towers share. */
final class TowerParts {

    private TowerParts() {}

    /** A linear layer (or a convolution seen as one) with an optional bias. */
    static void dense(WeightCollector weights, String name, long rows, long columns, boolean bias, Split split) {
        weights.linear(Component.VISION, name, rows, columns, split);
        if (bias) {
            weights.vector(Component.VISION, name + ".bias", rows, split == Split.ROW ? Split.REPLICATED : split, 0);
        }
    }

    /** A norm with an optional bias. */
    static void norm(WeightCollector weights, String name, long width, boolean bias) {
        weights.vector(Component.VISION, name, width);
        if (bias) {
            weights.vector(Component.VISION, name + ".bias", width);
        }
    }

    /** A linear layer with four clipping bounds beside it where the config asks for them. */
    static void clippable(WeightCollector weights, String name, long rows, long columns, boolean clipped, Split split) {
        weights.linear(Component.VISION, name, rows, columns, split);
        if (clipped) {
            weights.vector(Component.VISION, name + ".bounds", 4);
        }
    }
}
