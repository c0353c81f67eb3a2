package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.RequestTable;

/**
 * The KV cache as the scheduler sees it: prefix hits, slots for tokens, and what is freed when
 * ({@code v1/core/kv_cache_manager.py} and the coordinators in {@code v1/core/kv_cache_coordinator.py}).
 */
final class KvCache {

    private static final IntList NO_HIT = new IntList();

    private final BlockPool pool;
    private final BlockGroup[] groups;
    private final PrefixHashes hashes;
    private final HitSearch search;
    private final boolean caching;
    private final boolean insideBlocks;
    private final boolean anyDraft;
    private final boolean onlyFull;
    private final int schedulerBlock;
    private final int watermarkBlocks;
    private final int maxModelLen;
    private final Retention retention;
    private final PublishedRequest published = new PublishedRequest();
    private int uncached;
    private boolean refusedForThisStepOnly;

    KvCache(SchedulerSettings settings, RequestTable requests) {
        caching = settings.prefixCaching();
        schedulerBlock = settings.schedulerBlockSize();
        maxModelLen = settings.maxModelLen();
        watermarkBlocks = (int) (settings.watermark() * settings.blocks());
        retention = new Retention(settings.retentionInterval());
        pool = new BlockPool(settings.blocks(), caching);
        boolean[] drafts = GroupFactory.drafts(settings);
        anyDraft = GroupFactory.any(drafts);
        hashes = new PrefixHashes(requests, settings.hashBlockSize(), GroupFactory.hidesPrivate(settings));
        insideBlocks = GroupFactory.hitsInsideBlocks(settings);
        groups = GroupFactory.groups(settings, pool, hashes);
        onlyFull = groups.length == 1 && groups[0].spec.kind() == CacheGroup.Kind.FULL;
        int alignment = insideBlocks ? hashes.unit() : schedulerBlock;
        for (BlockGroup group : groups) {
            group.hitAlignment = alignment;
        }
        search = new HitSearch(groups, drafts, pool, hashes, alignment, insideBlocks);
    }

    /** The pool. */
    BlockPool pool() {
        return pool;
    }

    /** The groups, in order. */
    BlockGroup[] groups() {
        return groups;
    }

    /** Gives a request a slot's tables. */
    void open(int slot, int request) {
        hashes.open(slot, request);
        for (BlockGroup group : groups) {
            group.open(slot);
        }
    }

    /** Tells the groups that a step begins. */
    void newStep() {
        for (BlockGroup group : groups) {
            group.newStep();
        }
    }

    /** Tokens of the request's cached prefix; the blocks are kept for {@link #admit}. */
    int lookup(int slot, int tokens, boolean skips) {
        if (!caching || skips) {
            for (BlockGroup group : groups) {
                group.hit.clear();
            }
            uncached = 0;
            return 0;
        }
        int hit = search.find(slot, tokens);
        uncached = search.uncachedTokens();
        return hit;
    }

    /** Where the prefix just looked up is shared but not resumable; 0 for nowhere. */
    int junction(int hitTokens) {
        return uncached > 0 ? hitTokens + uncached : 0;
    }

    /**
     * Gives a waiting request its hit and slots for its first tokens.
     *
     * @param newTokens tokens to compute in this step
     * @param hitTokens tokens of its prefix hit
     * @param wholeMustFit whether all its tokens must fit
     * @param othersRun whether the watermark applies
     * @return false if there are not enough blocks
     */
    boolean admit(
            RequestState state,
            int row,
            int newTokens,
            int hitTokens,
            int lookahead,
            boolean wholeMustFit,
            boolean othersRun) {
        int slot = state.slot[row];
        int watermark = othersRun ? watermarkBlocks : 0;
        int prefillEnd = prefillEnd(state, row);
        if (wholeMustFit) {
            int all = Math.min(state.tokens[row], maxModelLen);
            if (needed(slot, all, true, hitTokens, all, true, prefillEnd) + watermark > pool.free()) {
                return false;
            }
        }
        int main = Math.min(hitTokens, maxModelLen) + newTokens;
        int tokens = Math.min(main + lookahead, maxModelLen);
        dropSkipped(slot, Math.max(0, hitTokens - state.inFlight[row]));
        if (needed(slot, tokens, true, hitTokens, main, false, prefillEnd) + watermark > pool.free()) {
            return false;
        }
        if (hasHit()) {
            for (BlockGroup group : groups) {
                group.adopt(slot, hitTokens);
            }
        }
        extend(slot, tokens, main);
        publish(state, row, Math.min(main, state.tokens[row]));
        return true;
    }

    /** Gives a running request slots for its next tokens; false if there are not enough blocks. */
    boolean grow(RequestState state, int row, int newTokens, int lookahead) {
        int slot = state.slot[row];
        int computed = Math.min(state.computed[row], maxModelLen);
        int main = computed + newTokens;
        int tokens = Math.min(main + lookahead, maxModelLen);
        if (onlyFull && groups[0].covers(slot, tokens, Math.min(main, state.tokens[row]))) {
            return true;
        }
        dropSkipped(slot, Math.max(0, computed - state.inFlight[row]));
        int prefillEnd = prefillEnd(state, row);
        if (needed(slot, tokens, false, state.computed[row], main, false, prefillEnd) > pool.free()) {
            return false;
        }
        extend(slot, tokens, main);
        publish(state, row, Math.min(main, state.tokens[row]));
        return true;
    }

    private int prefillEnd(RequestState state, int row) {
        boolean atPromptEndOnly = retention.interval() == 0;
        return atPromptEndOnly ? Math.max(state.prompt[row], state.tokens[row] - 1) : 0;
    }

    private int needed(
            int slot, int tokens, boolean withHit, int computed, int main, boolean admission, int prefillEnd) {
        long sum = 0;
        for (BlockGroup group : groups) {
            IntList hits = withHit ? group.hit : NO_HIT;
            sum += group.needed(slot, tokens, hits, computed, main, admission, prefillEnd);
        }
        refusedForThisStepOnly = sum > pool.blocks();
        return (int) Math.min(sum, Integer.MAX_VALUE / 2);
    }

    private boolean hasHit() {
        for (BlockGroup group : groups) {
            if (!group.hit.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private void dropSkipped(int slot, int processed) {
        for (BlockGroup group : groups) {
            group.dropSkipped(slot, processed);
        }
    }

    private void extend(int slot, int tokens, int main) {
        for (BlockGroup group : groups) {
            group.extend(slot, tokens, main);
        }
    }

    /** Lets others find the request's blocks up to {@code tokens} ({@code cache_blocks}). */
    void publish(RequestState state, int row, int tokens) {
        if (!caching || (onlyFull && groups[0].isPublished(state.slot[row], tokens))) {
            return;
        }
        published.prompt = state.prompt[row];
        published.junction = state.junction[row];
        published.computed = state.computed[row];
        retention.of(published.prompt, schedulerBlock, anyDraft, published.junction);
        for (BlockGroup group : groups) {
            group.publish(state.slot[row], published, publishable(group, tokens), retention);
        }
    }

    /** Only what a later hit can reach is published ({@code get_num_cacheable_tokens}). */
    private int publishable(BlockGroup group, int tokens) {
        if (groups.length == 1 || insideBlocks) {
            return tokens;
        }
        int aligned = tokens / schedulerBlock * schedulerBlock;
        return group.draft && aligned > 0 ? Math.min(tokens, aligned + group.blockSize) : aligned;
    }

    /** Steps over which decoding the request changes nothing but the ends of its tables. */
    int quietSteps(int slot, int computed) {
        int quiet = Integer.MAX_VALUE;
        for (BlockGroup group : groups) {
            quiet = Math.min(quiet, group.quietSteps(slot, computed));
        }
        return quiet;
    }

    /** Most blocks that so many steps of so many requests can take. */
    long mostBlocks(int sequences, int steps) {
        long most = 0;
        for (BlockGroup group : groups) {
            most += (long) sequences * (steps / group.blockSize + 1);
        }
        return most;
    }

    /** Blocks that the request takes until {@code tokens} are stored. */
    int missingBlocks(int slot, int tokens) {
        int missing = 0;
        for (BlockGroup group : groups) {
            missing += group.missing(slot, tokens);
        }
        return missing;
    }

    /** Takes the blocks for {@code tokens} and publishes what is complete. */
    void leap(RequestState state, int row, int tokens, int publishedTokens) {
        int slot = state.slot[row];
        if (onlyFull && groups[0].covers(slot, tokens, publishedTokens)) {
            return;
        }
        for (BlockGroup group : groups) {
            group.leapTo(slot, tokens);
        }
        publish(state, row, publishedTokens);
    }

    /** Whether the last refusal holds for this step only. */
    boolean refusedForThisStepOnly() {
        return refusedForThisStepOnly;
    }

    /** Frees the request's blocks for good. */
    void free(int slot) {
        for (BlockGroup group : groups) {
            group.release(slot);
        }
    }

    /** Frees the request's blocks, which it may look for again. */
    void preempt(int slot) {
        if (!hashes.isExposed(slot)) {
            for (BlockGroup group : groups) {
                group.publishPrivate(slot);
            }
            hashes.expose(slot);
        }
        free(slot);
    }

    /** Hands the step's block copies over and drops what kept them alive. */
    void settleCopies(IntList copies) {
        copies.clear();
        for (BlockGroup group : groups) {
            for (int i = 0; i < group.copies.size(); i++) {
                copies.add(group.copies.get(i));
            }
            group.copies.clear();
        }
        if (!copies.isEmpty()) {
            pool.beginRelease();
            for (int i = 0; i < copies.size(); i++) {
                pool.release(copies.get(i));
            }
        }
    }
}
