package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.vllm.CacheGroup.Kind;
import java.util.Arrays;
import java.util.List;

/** Builds the groups of a pool and derives what holds for all of them. */
final class GroupFactory {

    private GroupFactory() {}

    /** The groups in order ({@code get_manager_for_kv_cache_spec}). */
    static BlockGroup[] groups(SchedulerSettings settings, BlockPool pool, PrefixHashes hashes) {
        List<CacheGroup> specs = settings.groups();
        BlockGroup[] groups = new BlockGroup[specs.size()];
        for (int id = 0; id < groups.length; id++) {
            groups[id] = group(id, specs.get(id), settings, pool, hashes);
        }
        return groups;
    }

    private static BlockGroup group(
            int id, CacheGroup spec, SchedulerSettings settings, BlockPool pool, PrefixHashes hashes) {
        int schedulerBlock = settings.schedulerBlockSize();
        return switch (spec.kind()) {
            case FULL -> new FullGroup(id, spec, pool, hashes, schedulerBlock);
            case WINDOW -> new WindowGroup(id, spec, pool, hashes, settings);
            case CHUNKED -> new ChunkedGroup(id, spec, pool, hashes, settings);
            case STATE -> new StateGroup(id, spec, pool, hashes, schedulerBlock);
            case ALIGNED_STATE ->
                new AlignedStateGroup(
                        id,
                        spec,
                        pool,
                        hashes,
                        schedulerBlock,
                        settings.speculation().hiddenStates(),
                        junctionCheckpoints(settings));
            case CROSS -> new CrossGroup(id, spec, pool, hashes, schedulerBlock);
        };
    }

    /** Which groups' hits end one block earlier: those of the drafter, or all if none is said to be. */
    static boolean[] drafts(SchedulerSettings settings) {
        List<CacheGroup> specs = settings.groups();
        boolean[] drafts = new boolean[specs.size()];
        for (int i = 0; i < drafts.length; i++) {
            drafts[i] = specs.get(i).draft();
        }
        if (settings.speculation().hiddenStates() && !any(drafts)) {
            Arrays.fill(drafts, true);
        }
        return drafts;
    }

    static boolean any(boolean[] values) {
        for (boolean value : values) {
            if (value) {
                return true;
            }
        }
        return false;
    }

    /** {@code partial_hash_hits_enabled}: states finer hashed than their blocks, and no group that cannot follow. */
    static boolean hitsInsideBlocks(SchedulerSettings settings) {
        int unit = settings.hashBlockSize();
        boolean finer = settings.groups().stream()
                .anyMatch(group -> group.kind() == Kind.ALIGNED_STATE && group.blockSize() > unit);
        boolean allFollow = settings.groups().stream()
                .allMatch(group -> group.isState() || group.kind() == Kind.FULL || group.blockSize() == unit);
        return settings.prefixCaching() && settings.groups().size() > 1 && finer && allFollow;
    }

    /** Whether a chunk may end, and a state be published, where a shared prefix ends inside a block. */
    static boolean junctionCheckpoints(SchedulerSettings settings) {
        return settings.sharedPrefixCheckpoint()
                && any(drafts(settings))
                && hitsInsideBlocks(settings)
                && settings.speculation().prefillLookahead() <= 1;
    }

    /** Whether blocks that only their own request can hit may stay out of the map: where a block has one key at most. */
    static boolean hidesPrivate(SchedulerSettings settings) {
        int unit = settings.hashBlockSize();
        return settings.groups().stream()
                .allMatch(group -> group.blockSize() == unit && group.checkpointAlignment() == 0);
    }
}
