package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the longest prefix that all groups hold ({@code find_longest_cache_hit} of the coordinators in
 * {@code v1/core/kv_cache_coordinator.py}). The blocks are left in {@link BlockGroup#hit}.
 */
final class HitSearch {

    private final List<LookupSet> sets = new ArrayList<>();
    private final int[] setTokens;
    private final int unit;
    private final int alignment;
    private final boolean insideBlocks;
    private final boolean single;
    private int uncached;

    /**
     * Prepares the search.
     *
     * @param drafts which groups belong to a drafter
     * @param alignment tokens that hits are a multiple of
     * @param insideBlocks whether hits may end inside a block
     */
    HitSearch(
            BlockGroup[] groups,
            boolean[] drafts,
            BlockPool pool,
            PrefixHashes hashes,
            int alignment,
            boolean insideBlocks) {
        this.alignment = alignment;
        this.insideBlocks = insideBlocks;
        unit = hashes.unit();
        single = groups.length == 1;
        for (int i = 0; i < groups.length; i++) {
            include(groups[i], drafts[i], pool, hashes);
        }
        List<LookupSet> rest = sets.stream().filter(set -> !isFull(set)).toList();
        sets.removeAll(rest);
        sets.addAll(rest);
        setTokens = new int[sets.size()];
        for (LookupSet set : sets) {
            set.members().forEach(group -> group.draft = set.isDraft());
        }
    }

    private void include(BlockGroup group, boolean draft, BlockPool pool, PrefixHashes hashes) {
        for (LookupSet set : sets) {
            if (set.first().spec.sameSpec(group.spec)) {
                set.add(group, draft);
                return;
            }
        }
        sets.add(new LookupSet(group, draft, pool, hashes));
    }

    private static boolean isFull(LookupSet set) {
        return set.first().spec.kind() == CacheGroup.Kind.FULL;
    }

    /** Tokens that some group holds beyond the last hit: a prefix shared, but not yet resumable. */
    int uncachedTokens() {
        return uncached;
    }

    /**
     * Searches.
     *
     * @param tokens tokens of the request; the last one is always computed anew
     * @return tokens of the hit
     */
    int find(int slot, int tokens) {
        uncached = 0;
        if (single) {
            LookupSet set = sets.get(0);
            return set.first().lookup(set, slot, tokens - 1, set.isDraft(), set.first().blockSize);
        }
        return settle(slot, tokens);
    }

    /** Every set accepts the candidate length or shortens it, until all accept. */
    private int settle(int slot, int tokens) {
        int hit = tokens - 1;
        int hashed = tokens / unit * unit;
        int longest = 0;
        long verified = 0;
        boolean simple = sets.size() == 2 && isFull(sets.get(0));
        Arrays.fill(setTokens, -1);
        while (true) {
            int current = hit;
            for (int i = 0; i < setTokens.length; i++) {
                LookupSet set = sets.get(i);
                if (isFull(set) && setTokens[i] >= 0) {
                    current = Math.min(current, setTokens[i]);
                    continue;
                }
                boolean drop = set.isDraft() && (verified & (1L << i)) == 0;
                int most = drop && !set.first().spec.isState() ? Math.min(current + margin(set), hashed) : current;
                int found = set.first().lookup(set, slot, most, drop, alignment);
                if (drop) {
                    verified |= 1L << i;
                } else if (found < current) {
                    verified = 0;
                }
                current = found;
                setTokens[i] = found;
                longest = Math.max(longest, found);
            }
            if (current >= hit) {
                break;
            }
            hit = current;
            if (simple) {
                break;
            }
        }
        trim(hit);
        uncached = longest - hit;
        return hit;
    }

    /** Tokens that a drafter's group matches beyond a hit, and then drops ({@code eagle_proof_margin}). */
    private int margin(LookupSet set) {
        boolean fine = insideBlocks && isFull(set) && set.first().blockSize > unit;
        return fine ? unit : set.first().blockSize;
    }

    private void trim(int hit) {
        for (LookupSet set : sets) {
            if (isFull(set)) {
                set.truncate(BlockGroup.ceilDiv(hit, set.first().blockSize));
            }
        }
    }
}
