package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.KvSpec.Reach;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Groups for block-outermost layouts, where one block holds pages of several sizes side by side
 * ({@code _get_packed_kv_cache_groups} in vLLM's {@code v1/core/kv_cache_utils.py}; used by DeepSeek-V4 and other models
 * that mix sliding and compressed latent caches).
 */
final class PackedGroups {

    private PackedGroups() {}

    /**
     * Layers that always need the same slots.
     *
     * @param layers positions in the grouped list
     * @param specs their specs
     * @param byPage positions by page size, in first-seen order
     */
    private record Bucket(List<Integer> layers, List<KvSpec> specs, Map<Long, List<Integer>> byPage) {
        /** Layers of the most frequent page size. */
        int repeats() {
            return byPage.values().stream().mapToInt(List::size).max().orElse(0);
        }

        /** Whether every page size occurs equally often, as in a repeating pattern. */
        boolean balanced() {
            return byPage.values().stream().mapToInt(List::size).distinct().count() == 1;
        }

        /** Bytes of the largest group when the bucket is split in {@code count}. */
        long widestGroupBytes(int count) {
            long sum = 0;
            for (Map.Entry<Long, List<Integer>> entry : byPage.entrySet()) {
                sum += entry.getKey() * ceilDiv(entry.getValue().size(), count);
            }
            return sum;
        }
    }

    /** Packed groups, or empty where all pages are equal already. */
    static Optional<List<LayerGroup>> group(List<KvSpec> layers) {
        if (layers.stream().mapToLong(KvSpec::pageBytes).distinct().count() <= 1) {
            return Optional.empty();
        }
        List<Bucket> buckets = buckets(layers);
        int floor = 0;
        for (Bucket bucket : buckets) {
            if (bucket.balanced() && bucket.byPage().size() > 1) {
                floor = Math.max(floor, bucket.repeats());
            }
        }
        List<Integer> balancedRepeats =
                buckets.stream().filter(Bucket::balanced).map(Bucket::repeats).toList();
        int repeatsPerGroup = floor == 0 ? 0 : leastPadding(balancedRepeats, floor);
        long anchorBytes = 0;
        for (Bucket bucket : buckets) {
            int count = isState(bucket, repeatsPerGroup) ? bucket.layers().size() : groupCount(bucket, repeatsPerGroup);
            anchorBytes = Math.max(anchorBytes, bucket.widestGroupBytes(count));
        }
        List<LayerGroup> groups = new ArrayList<>();
        for (Bucket bucket : buckets) {
            int count = groupCount(bucket, repeatsPerGroup);
            if (isState(bucket, repeatsPerGroup)) {
                long statesPerBlock =
                        Math.max(1, anchorBytes / bucket.specs().get(0).pageBytes());
                count = Math.max(count, ceilDiv(bucket.layers().size(), Math.toIntExact(statesPerBlock)));
            }
            split(bucket, count, layers, groups);
        }
        return Optional.of(groups);
    }

    private static List<Bucket> buckets(List<KvSpec> layers) {
        List<Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            KvSpec spec = layers.get(i);
            Bucket home = null;
            for (Bucket bucket : buckets) {
                if (bucket.specs().get(0).sameTypeAs(spec)) {
                    home = bucket;
                    break;
                }
            }
            if (home == null) {
                home = new Bucket(new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
                buckets.add(home);
            }
            home.layers().add(i);
            home.specs().add(spec);
            home.byPage()
                    .computeIfAbsent(spec.pageBytes(), bytes -> new ArrayList<>())
                    .add(i);
        }
        return buckets;
    }

    private static int groupCount(Bucket bucket, int repeatsPerGroup) {
        return bucket.balanced() && repeatsPerGroup > 0 ? ceilDiv(bucket.repeats(), repeatsPerGroup) : 1;
    }

    /** States, and sliding windows outside a pattern, may be split down to one layer a group. */
    private static boolean isState(Bucket bucket, int repeatsPerGroup) {
        KvSpec first = bucket.specs().get(0);
        boolean window = first instanceof Attention attention && attention.reach() == Reach.WINDOW;
        return first instanceof KvSpec.State || (repeatsPerGroup == 0 && window);
    }

    private static void split(Bucket bucket, int count, List<KvSpec> layers, List<LayerGroup> groups) {
        if (count == 1) {
            groups.add(new LayerGroup(bucket.layers(), bucket.specs()));
            return;
        }
        Collection<List<Integer>> columns = bucket.byPage().values();
        int repeats = columns.stream().mapToInt(List::size).min().orElse(0);
        for (int i = 0; i < count; i++) {
            List<Integer> members = new ArrayList<>();
            for (int repeat = i; repeat < repeats; repeat += count) {
                for (List<Integer> column : columns) {
                    members.add(column.get(repeat));
                }
            }
            groups.add(new LayerGroup(members, members.stream().map(layers::get).toList()));
        }
    }

    /** The divisor, at least {@code floor}, that pads the counts least; the larger one on a tie. */
    private static int leastPadding(List<Integer> counts, int floor) {
        int largest = counts.stream().mapToInt(Integer::intValue).max().orElse(floor);
        int best = floor;
        long bestPadding = Long.MAX_VALUE;
        for (int candidate = floor; candidate <= largest; candidate++) {
            long padding = 0;
            for (int count : counts) {
                padding += Math.floorMod(-count, candidate);
            }
            if (padding <= bestPadding) {
                best = candidate;
                bestPadding = padding;
            }
        }
        return best;
    }

    private static int ceilDiv(int value, int divisor) {
        return (value + divisor - 1) / divisor;
    }
}
