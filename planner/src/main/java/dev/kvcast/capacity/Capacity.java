package dev.kvcast.capacity;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.KvPool;
import dev.kvcast.engine.ServingLimits;

/**
 * Judges cells against a predicted KV pool. The pool's 90% interval takes part: a cell fits only when it fits the lower
 * end, so uncertainty makes cells tight, never wrong.
 *
 * @param plan the predicted boot
 * @param sharedPrefix whether the requests of a cell share their context, as benchmarks' do
 * @param skipRule cells that the benchmark itself refuses
 */
public record Capacity(BootPlan plan, boolean sharedPrefix, SkipRule skipRule) {

    /** The verdict on one cell. */
    public CellCapacity judge(Cell cell) {
        KvPool pool = plan.pool();
        ServingLimits limits = plan.limits();
        int perReplica = perReplica(cell.concurrency());
        // The last generated token is never stored.
        long stored = cell.finalTokens() - 1;
        long needed = Math.multiplyExact(pool.guaranteedBlocks(stored), perReplica);
        long least = leastBlocks(cell, perReplica);
        long tokens = Math.multiplyExact(cell.finalTokens(), cell.concurrency());
        String over = overReason(cell, perReplica, least, pool, limits);
        if (!over.isEmpty()) {
            return new CellCapacity(cell, Verdict.OVER, needed, tokens, least, over);
        }
        long reserved = pool.reservedBlocks();
        if (needed <= pool.blocksLow() - reserved) {
            return new CellCapacity(
                    cell, Verdict.FITS, needed, tokens, least, "every request can reach its full length");
        }
        String reason = needed <= pool.usableBlocks()
                ? "fits the expected pool but not the low end of its interval"
                : "needs " + needed + " of " + pool.usableBlocks() + " blocks at full length: may queue or preempt";
        return new CellCapacity(cell, Verdict.TIGHT, needed, tokens, least, reason);
    }

    private String overReason(Cell cell, int perReplica, long least, KvPool pool, ServingLimits limits) {
        if (plan.failure().isPresent()) {
            return "the engine would not start: " + plan.failure().get().cause();
        }
        if (cell.finalTokens() > limits.maxModelLen()) {
            return "context + output of " + cell.finalTokens() + " tokens exceeds max_model_len "
                    + limits.maxModelLen();
        }
        if (perReplica > limits.maxSequences()) {
            return "more requests than max_num_seqs " + limits.maxSequences() + ": the rest queue";
        }
        if (least > pool.usableBlocks()) {
            return "holding the contexts alone takes " + least + " of " + pool.usableBlocks() + " blocks";
        }
        if (skipRule.skips(cell, pool)) {
            return skipRule.label() + " skips it: " + Math.multiplyExact(cell.finalTokens(), cell.concurrency())
                    + " tokens exceed " + pool.blocks() + " x " + pool.blockSize();
        }
        return "";
    }

    /** Blocks that hold the cell's requests when each has just started to generate. */
    private long leastBlocks(Cell cell, int perReplica) {
        KvPool pool = plan.pool();
        long stored = cell.contextTokens() + 1;
        if (!sharedPrefix || !plan.limits().prefixCaching() || perReplica == 1) {
            return Math.multiplyExact(pool.steadyBlocks(stored), perReplica);
        }
        // The last token of a prompt is always computed anew, so a hit ends one token earlier.
        long shared = Math.max(0, cell.contextTokens() - 1);
        return pool.steadyBlocks(stored) + Math.multiplyExact(pool.privateBlocks(stored, shared), perReplica - 1L);
    }

    private int perReplica(int concurrency) {
        int replicas = plan.limits().parallelism().data();
        return (concurrency + replicas - 1) / replicas;
    }

    /**
     * Longest context that {@code concurrency} requests with that much output still fit.
     *
     * @return -1 when not even an empty context fits
     */
    public long largestContext(int concurrency, long outputTokens) {
        long high = plan.limits().maxModelLen() - outputTokens;
        if (high < 0 || !fits(0, concurrency, outputTokens)) {
            return -1;
        }
        long low = 0;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (fits(middle, concurrency, outputTokens)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Most requests of that context and output that fit at once; 0 when not even one does. */
    public int largestConcurrency(long contextTokens, long outputTokens) {
        int low = 0;
        int high = Math.multiplyExact(
                plan.limits().maxSequences(), plan.limits().parallelism().data());
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            if (fits(contextTokens, middle, outputTokens)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private boolean fits(long contextTokens, int concurrency, long outputTokens) {
        return judge(new Cell(contextTokens, concurrency, outputTokens)).verdict() == Verdict.FITS;
    }
}
