package dev.kvcast.engine.vllm;

import java.util.List;

/**
 * Layers that share one block table.
 *
 * @param layers layer positions in the list that was grouped
 * @param specs the layers' specs, in the same order; all need the same number of blocks
 */
public record LayerGroup(List<Integer> layers, List<KvSpec> specs) {

    /** Copies the lists. */
    public LayerGroup {
        layers = List.copyOf(layers);
        specs = List.copyOf(specs);
        if (layers.size() != specs.size()) {
            throw new IllegalArgumentException("a group has one spec a layer");
        }
    }

    /** Bytes of one block over the group's layers. */
    public long bytesPerBlock() {
        long sum = 0;
        for (KvSpec spec : specs) {
            sum = Math.addExact(sum, spec.pageBytes());
        }
        return sum;
    }

    /** The spec that stands for the group where all layers agree. */
    public KvSpec representative() {
        return specs.get(0);
    }

    /** Tokens one block covers. */
    public int blockSize() {
        return specs.get(0).blockSize();
    }

    /** The part of the group that lies in a range of layers, for one pipeline stage. */
    public LayerGroup within(int firstLayer, int endLayer) {
        java.util.ArrayList<Integer> keptLayers = new java.util.ArrayList<>();
        java.util.ArrayList<KvSpec> keptSpecs = new java.util.ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            if (layers.get(i) >= firstLayer && layers.get(i) < endLayer) {
                keptLayers.add(layers.get(i));
                keptSpecs.add(specs.get(i));
            }
        }
        return new LayerGroup(keptLayers, keptSpecs);
    }
}
