package dev.kvcast.model;

import java.util.Arrays;
import java.util.Collection;

/**
 * The decoder layers that hold a weight, by index. A weight outside the decoder stack (embedding, head, towers, draft
 * modules) has {@link #OUTSIDE}, which counts as one place.
 */
public final class LayerSet {

    /** Not in any decoder layer. */
    public static final LayerSet OUTSIDE = new LayerSet(new int[0]);

    private final int[] indices;

    private LayerSet(int[] indices) {
        this.indices = indices;
    }

    /** One or more layer indices, in any order. */
    public static LayerSet of(Collection<Integer> layers) {
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("a layer set needs a layer; use OUTSIDE");
        }
        return new LayerSet(
                layers.stream().mapToInt(Integer::intValue).distinct().sorted().toArray());
    }

    /** Whether the weight belongs to no decoder layer. */
    public boolean outside() {
        return indices.length == 0;
    }

    /** Number of layers, 1 outside the stack. */
    public int count() {
        return Math.max(1, indices.length);
    }

    /** Layers with {@code first <= index < end}. */
    public int countWithin(int first, int end) {
        if (indices.length > 0 && indices[0] >= first && indices[indices.length - 1] < end) {
            return indices.length;
        }
        int count = 0;
        for (int index : indices) {
            if (index >= first && index < end) {
                count++;
            }
        }
        return count;
    }

    /** The indices, ascending; empty outside the stack. */
    public int[] indices() {
        return indices.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LayerSet that && Arrays.equals(indices, that.indices);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(indices);
    }

    @Override
    public String toString() {
        return outside() ? "outside" : Arrays.toString(indices);
    }
}
