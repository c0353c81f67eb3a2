package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.KvSpec.Reach;
import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts layers into KV-cache groups the way vLLM does ({@code get_kv_cache_groups} in {@code v1/core/kv_cache_utils.py}):
 * one group where every layer agrees, one group of unequal pages where every layer needs the same slots, and otherwise
 * groups of equal size whose pages were made equal.
 */
public final class KvGrouping {

    private KvGrouping() {}

    /**
     * How a release splits layers into groups.
     *
     * @param padUpRatio the larger layer kind sets the group size when it has fewer than this many times the layers of
     *     the smallest kind; 1 where the smallest kind always does
     * @param hybridManager whether sliding and chunked layers keep their own groups
     * @param enlargesUneven whether pages that do not divide the largest get larger blocks before padding, until 0.24
     * @param packed whether blocks of mixed page sizes are packed (sliding latent layers, DeepSeek-V4 and later)
     */
    public record Policy(double padUpRatio, boolean hybridManager, boolean enlargesUneven, boolean packed) {
        /** A release that only pads pages. */
        public Policy(double padUpRatio, boolean hybridManager, boolean packed) {
            this(padUpRatio, hybridManager, false, packed);
        }
    }

    /**
     * Groups layers.
     *
     * @param specs one spec per caching layer, in layer order
     * @return groups, empty when no layer caches anything
     */
    public static List<LayerGroup> group(List<KvSpec> specs, Policy policy) {
        List<KvSpec> layers = policy.hybridManager() ? specs : promoteLocalLayers(specs);
        if (layers.isEmpty()) {
            return List.of();
        }
        if (allMerge(layers) || allSameType(layers)) {
            return List.of(groupOf(indexes(layers.size()), layers));
        }
        if (policy.packed()) {
            Optional<List<LayerGroup>> packed = PackedGroups.group(layers);
            if (packed.isPresent()) {
                return packed.get();
            }
        }
        Optional<List<KvSpec>> unified = PageUnifier.unify(layers, policy.enlargesUneven());
        if (unified.isEmpty()) {
            return List.of(fullAllocationFallback(layers));
        }
        return splitEvenly(unified.get(), policy.padUpRatio());
    }

    /** Full attention and its windowed siblings share storage once local layers keep every token. */
    static List<KvSpec> promoteLocalLayers(List<KvSpec> specs) {
        if (allMerge(specs) || allSameType(specs)) {
            return specs;
        }
        int fullBlockSize = 0;
        for (KvSpec spec : specs) {
            if (spec instanceof Attention attention && attention.reach() == Reach.ALL) {
                fullBlockSize = attention.blockSize();
            }
        }
        if (fullBlockSize == 0) {
            return specs;
        }
        List<KvSpec> promoted = new ArrayList<>(specs.size());
        for (KvSpec spec : specs) {
            boolean local = spec instanceof Attention attention && attention.reach() != Reach.ALL;
            promoted.add(local ? ((Attention) spec).promoted(fullBlockSize) : spec);
        }
        return promoted;
    }

    private static LayerGroup fullAllocationFallback(List<KvSpec> layers) {
        List<KvSpec> promoted = promoteLocalLayers(layers);
        if (!allSameType(promoted)) {
            throw InputException.unsupported("the pages of this model's layers cannot be made equal and vLLM would not "
                    + "start; try another --kv-cache-dtype or no draft model");
        }
        return groupOf(indexes(promoted.size()), promoted);
    }

    private static List<LayerGroup> splitEvenly(List<KvSpec> layers, double padUpRatio) {
        List<List<Integer>> buckets = buckets(layers);
        int smallest = Integer.MAX_VALUE;
        int largest = 0;
        for (List<Integer> bucket : buckets) {
            smallest = Math.min(smallest, bucket.size());
            largest = Math.max(largest, bucket.size());
        }
        int groupSize = largest < smallest * padUpRatio ? largest : smallest;
        List<LayerGroup> groups = new ArrayList<>();
        for (List<Integer> bucket : buckets) {
            int count = (bucket.size() + groupSize - 1) / groupSize;
            for (int i = 0; i < count; i++) {
                // Strided, so that pipeline stages hold equal shares of every group.
                List<Integer> members = new ArrayList<>();
                List<KvSpec> memberSpecs = new ArrayList<>();
                for (int j = i; j < bucket.size(); j += count) {
                    members.add(bucket.get(j));
                    memberSpecs.add(layers.get(bucket.get(j)));
                }
                groups.add(new LayerGroup(members, memberSpecs));
            }
        }
        return groups;
    }

    /** Layers of equal specs, then specs that merge, in first-seen order. */
    private static List<List<Integer>> buckets(List<KvSpec> layers) {
        Map<KvSpec, List<Integer>> equal = new LinkedHashMap<>();
        // Layers of one kind share one spec object, so that most look-ups end at a comparison of references.
        IdentityHashMap<KvSpec, List<Integer>> seen = new IdentityHashMap<>();
        for (int i = 0; i < layers.size(); i++) {
            KvSpec spec = layers.get(i);
            List<Integer> members = seen.get(spec);
            if (members == null) {
                members = equal.computeIfAbsent(spec, key -> new ArrayList<>());
                seen.put(spec, members);
            }
            members.add(i);
        }
        List<List<Integer>> merged = new ArrayList<>();
        List<List<KvSpec>> mergedSpecs = new ArrayList<>();
        for (Map.Entry<KvSpec, List<Integer>> entry : equal.entrySet()) {
            int home = homeOf(entry.getKey(), mergedSpecs);
            if (home < 0) {
                merged.add(new ArrayList<>(entry.getValue()));
                mergedSpecs.add(new ArrayList<>(List.of(entry.getKey())));
            } else {
                merged.get(home).addAll(entry.getValue());
                mergedSpecs.get(home).add(entry.getKey());
            }
        }
        return merged;
    }

    private static int homeOf(KvSpec spec, List<List<KvSpec>> buckets) {
        for (int i = 0; i < buckets.size(); i++) {
            boolean fits = true;
            for (KvSpec member : buckets.get(i)) {
                fits &= member.mergesWith(spec);
            }
            if (fits) {
                return i;
            }
        }
        return -1;
    }

    private static boolean allMerge(List<KvSpec> layers) {
        KvSpec first = layers.get(0);
        for (KvSpec spec : layers) {
            if (spec != first && !first.mergesWith(spec)) {
                return false;
            }
        }
        return pairwiseWindowsAgree(layers);
    }

    /** Merging compares with the first layer only, which may have no window of its own. */
    private static boolean pairwiseWindowsAgree(List<KvSpec> layers) {
        long window = 0;
        for (KvSpec spec : layers) {
            long own = spec instanceof Attention attention ? attention.reachTokens() : 0;
            if (own > 0 && window > 0 && own != window) {
                return false;
            }
            window = Math.max(window, own);
        }
        return true;
    }

    static boolean allSameType(List<KvSpec> layers) {
        KvSpec first = layers.get(0);
        for (KvSpec spec : layers) {
            if (spec != first && !first.sameTypeAs(spec)) {
                return false;
            }
        }
        return true;
    }

    static LayerGroup groupOf(List<Integer> layers, List<KvSpec> specs) {
        return new LayerGroup(layers, specs);
    }

    private static List<Integer> indexes(int size) {
        List<Integer> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(i);
        }
        return all;
    }
}
