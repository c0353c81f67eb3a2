package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.DataType;
import dev.kvcast.model.InputException;
import dev.kvcast.model.LayerSet;
import dev.kvcast.model.Weight;
import dev.kvcast.model.Weight.Split;
import dev.kvcast.model.WeightScheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects weights layer by layer and merges those of one shape and name, so that the finished list is short. Names are
 * relative to a prefix that {@link #enterLayer} and {@link #enterModule} set.
 */
final class WeightCollector {

    /** More tensors than any checkpoint names; a config that announces more is wrong, and would never end. */
    private static final int MOST_WEIGHTS = 1_000_000;

    private static final WeightScheme ORIGINAL = new WeightScheme.Original();

    private final Map<Weight, List<Integer>> layersByWeight = new LinkedHashMap<>();
    private String prefix = "";
    private int layer = -1;
    private boolean draft;
    private int added;

    /** Following names belong to decoder layer {@code index}. */
    void enterLayer(int index) {
        prefix = "model.layers.*.";
        layer = index;
        draft = false;
    }

    /** Following names belong to a module outside the stack; {@code name} is empty or ends with a dot. */
    void enterModule(String name) {
        prefix = name;
        layer = -1;
        draft = false;
    }

    /** Following names belong to the draft module, whatever component they are given. */
    void enterDraft(String name) {
        prefix = name;
        layer = -1;
        draft = true;
    }

    /** A linear layer. */
    void linear(Component component, String name, long rows, long columns, Split split) {
        add(component, name, rows, columns, 1, split, 0, true, ORIGINAL);
    }

    /** A linear layer whose output is made of heads that stay whole. */
    void heads(Component component, String name, long heads, long headWidth, long columns) {
        add(component, name, heads * headWidth, columns, 1, Split.COLUMN, Math.toIntExact(heads), true, ORIGINAL);
    }

    /** Equal linear layers of {@code count} experts. */
    void experts(Component component, String name, long rows, long columns, long count, Split split) {
        add(component, name, rows, columns, count, split, 0, true, ORIGINAL);
    }

    /** A matrix that no method quantizes. */
    void matrix(Component component, String name, long rows, long columns, Split split) {
        add(component, name, rows, columns, 1, split, 0, false, ORIGINAL);
    }

    /** A vector every rank holds. */
    void vector(Component component, String name, long size) {
        add(component, name, size, 1, 1, Split.REPLICATED, 0, false, ORIGINAL);
    }

    /** A vector divided like the output of the linear layer beside it. */
    void vector(Component component, String name, long size, Split split, long heads) {
        add(component, name, size, 1, 1, split, Math.toIntExact(heads), false, ORIGINAL);
    }

    /** A tensor of a fixed type that every rank holds. */
    void fixed(Component component, String name, long rows, long columns, DataType type) {
        add(component, name, rows, columns, 1, Split.REPLICATED, 0, false, new WeightScheme.Fixed(type));
    }

    /** Any weight. */
    void add(
            Component component,
            String name,
            long rows,
            long columns,
            long count,
            Split split,
            int heads,
            boolean linear,
            WeightScheme scheme) {
        if (++added > MOST_WEIGHTS) {
            throw InputException.badInput("the config announces more than " + MOST_WEIGHTS
                    + " weight tensors; check its counts of layers (num_hidden_layers, depth) in config.json");
        }
        boolean keeps = component == Component.MTP_COPY || !component.inCheckpoint();
        Component owner = draft && !keeps ? Component.MTP : component;
        Weight weight =
                new Weight(owner, prefix + name, LayerSet.OUTSIDE, rows, columns, count, split, heads, linear, scheme);
        layersByWeight.computeIfAbsent(weight, key -> new ArrayList<>()).add(layer);
    }

    /** The collected weights, in order of first appearance. */
    List<Weight> weights() {
        List<Weight> result = new ArrayList<>();
        layersByWeight.forEach((weight, layers) -> {
            if (layers.get(0) >= 0) {
                result.add(weight.in(LayerSet.of(layers), weight.scheme()));
            } else {
                long copies = Math.multiplyExact(weight.count(), layers.size());
                result.add(new Weight(
                        weight.component(),
                        weight.module(),
                        LayerSet.OUTSIDE,
                        weight.rows(),
                        weight.columns(),
                        copies,
                        weight.split(),
                        weight.heads(),
                        weight.linear(),
                        weight.scheme()));
            }
        });
        return result;
    }
}
