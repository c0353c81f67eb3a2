package dev.kvcast.simulate.vllm;

import dev.kvcast.engine.BlockRule;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.KvGroup;
import dev.kvcast.engine.KvPool;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.ServingLimits;
import dev.kvcast.engine.vllm.SchedulerOptions;
import dev.kvcast.engine.vllm.VllmOptionsReader;
import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a planned boot means to the scheduler.
 *
 * @param settings settings of one replica
 * @param replicas data-parallel replicas
 * @param notes what was changed to make the run possible, one sentence each
 */
public record BootSettings(SchedulerSettings settings, int replicas, List<String> notes) {

    /** Copies the list. */
    public BootSettings {
        notes = List.copyOf(notes);
    }

    /** Of one replica's pool: as much as its tables leave room for in memory, and more than any server has. */
    private static final int MOST_BLOCKS = 1 << 24;

    /**
     * Settings of a boot.
     *
     * @param poolBlocks blocks of one replica's pool, instead of the predicted ones
     * @throws InputException if the engine would not start
     */
    public static BootSettings of(Scenario scenario, BootPlan plan, OptionalLong poolBlocks) {
        if (plan.failure().isPresent() && poolBlocks.isEmpty()) {
            throw InputException.badInput("the engine would not start: "
                    + plan.failure().get().message() + "; change the flags, or pin the pool with --pool-blocks");
        }
        List<String> notes = new ArrayList<>();
        int blocks = Math.toIntExact(
                Math.min(Integer.MAX_VALUE >> 3, poolBlocks.orElse(plan.pool().blocks())));
        int maxModelLen = servedLength(plan, blocks, notes);
        ServingLimits limits = plan.limits();
        SchedulerOptions options = VllmOptionsReader.read(scenario.arguments(), scenario.environment())
                .scheduler();
        boolean hybrid = plan.pool().groups().stream().anyMatch(g -> g.kind() == KvGroup.Kind.STATE);
        List<CacheGroup> groups = new ArrayList<>();
        plan.pool().groups().forEach(group -> groups.add(group(group, limits, maxModelLen)));
        SchedulerSettings settings = new SchedulerSettings(
                blocks,
                groups,
                limits.prefixCaching(),
                0,
                0,
                false,
                limits.maxBatchedTokens(),
                limits.maxBatchedTokens(),
                options.maxActiveSequences().orElse(limits.maxSequences()),
                options.longPrefillThreshold(),
                false,
                maxModelLen,
                options.priority() ? SchedulerSettings.Policy.PRIORITY : SchedulerSettings.Policy.FCFS,
                options.watermark(),
                options.reserveFullPrompt().orElse(true),
                limits.chunkedPrefill(),
                limits.asyncScheduling(),
                limits.parallelism().pipeline(),
                limits.speculativeTokens() > 0 ? Speculation.eagle(limits.speculativeTokens()) : Speculation.NONE);
        if (hybrid && !limits.prefixCaching()) {
            notes.add("prefix caching is off for this model, as its engine version has it");
        }
        return new BootSettings(settings, limits.parallelism().data(), notes);
    }

    private static int servedLength(BootPlan plan, int blocks, List<String> notes) {
        KvPool pool = plan.pool();
        long length = Math.min(
                pool.maxModelLen() > 0 ? pool.maxModelLen() : plan.limits().maxModelLen(), 1L << 30);
        if (blocks < 2) {
            throw InputException.badInput("a pool of " + blocks + " blocks holds nothing; expected 2 or more");
        }
        if (blocks > MOST_BLOCKS) {
            throw InputException.badInput(
                    "a pool of " + blocks + " blocks is beyond what can be simulated; expected at most " + MOST_BLOCKS);
        }
        if (pool.groups().isEmpty() || pool.chargedBlocks(length) <= blocks - 1L) {
            return (int) length;
        }
        long low = 0;
        long high = length;
        while (low < high) {
            long middle = (low + high + 1) / 2;
            if (pool.chargedBlocks(middle) <= blocks - 1L) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if (low < 1) {
            throw InputException.badInput(
                    "a pool of " + blocks + " blocks cannot hold one request; the engine would" + " fail at start");
        }
        notes.add("a request of max_model_len " + length + " tokens does not fit " + blocks
                + " blocks, so the engine would fail at start; simulated with " + low);
        return (int) low;
    }

    private static CacheGroup group(KvGroup group, ServingLimits limits, int maxModelLen) {
        BlockRule rule = group.rule();
        int drafts = limits.speculativeTokens();
        if (rule instanceof BlockRule.PerToken full) {
            return CacheGroup.full(full.blockSize());
        }
        if (rule instanceof BlockRule.Window window) {
            return CacheGroup.window(window.blockSize(), clamp(window.windowTokens()));
        }
        if (rule instanceof BlockRule.Chunk chunk) {
            return CacheGroup.chunked(chunk.blockSize(), clamp(chunk.chunkTokens()));
        }
        if (rule instanceof BlockRule.StatePerBlock) {
            throw InputException.unsupported("mamba cache mode 'all' is not simulated; use align or none");
        }
        boolean aligned = group.kind() == KvGroup.Kind.STATE && limits.prefixCaching();
        return switch (group.kind()) {
            case CROSS -> CacheGroup.cross(group.blockSize());
            default ->
                aligned
                        ? CacheGroup.alignedState(group.blockSize(), drafts)
                        : CacheGroup.state(Math.max(group.blockSize(), maxModelLen), drafts);
        };
    }

    private static int clamp(long tokens) {
        return (int) Math.min(tokens, 1L << 30);
    }
}
