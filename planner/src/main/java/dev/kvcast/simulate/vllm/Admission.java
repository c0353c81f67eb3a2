package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.StepBatch;

/**
 * The second half of a step: waiting requests, in the order of their queue, until one does not fit ({@code schedule} in
 * {@code v1/core/sched/scheduler.py}). Whoever does not fit holds up everybody behind.
 */
final class Admission {

    private final SchedulerSettings settings;
    private final Speculation speculation;
    private final RequestState state;
    private final KvCache cache;
    private final AlignSplit align;
    private final WaitingQueue waiting;
    private final IntList running;
    private final IntList skipped = new IntList();
    private boolean padded;
    private boolean blocked;

    Admission(
            SchedulerSettings settings,
            RequestState state,
            KvCache cache,
            AlignSplit align,
            WaitingQueue waiting,
            IntList running) {
        this.settings = settings;
        this.speculation = settings.speculation();
        this.state = state;
        this.cache = cache;
        this.align = align;
        this.waiting = waiting;
        this.running = running;
    }

    /** Whether the last step left somebody waiting for lack of blocks or of a place. */
    boolean isBlocked() {
        return blocked;
    }

    /** Says that what blocked the queue may be gone. */
    void unblock() {
        blocked = false;
    }

    /** Fills what is left of the step. */
    void admit(StepBatch batch, StepBudget budget) {
        int scheduledRunning = batch.size();
        blocked = false;
        while (budget.hasRoom() && waiting.size() > 0) {
            if (running.size() >= settings.maxSequences()) {
                blocked = true;
                break;
            }
            int row = waiting.peek();
            if (state.stale[row] > 0) {
                // Its old output is still under way; resuming now could sample a position twice.
                skipped.add(waiting.pop());
                continue;
            }
            if (!tryAdmit(batch, budget, row, scheduledRunning)) {
                break;
            }
        }
        for (int i = skipped.size() - 1; i >= 0; i--) {
            waiting.prepend(skipped.get(i));
        }
        skipped.clear();
    }

    private boolean tryAdmit(StepBatch batch, StepBudget budget, int row, int scheduledRunning) {
        if (state.slot[row] < 0) {
            cache.open(state.takeSlot(row), state.id[row]);
        }
        int hit = cache.lookup(state.slot[row], state.tokens[row], state.skipsCache[row]);
        state.junction[row] = cache.junction(hit);
        int newTokens = firstTokens(budget, row, hit, scheduledRunning > 0);
        if (newTokens <= 0) {
            return false;
        }
        boolean admitted = cache.admit(
                state, row, newTokens, hit, speculation.lookahead(), settings.reserveFullPrompt(), !running.isEmpty());
        if (!admitted) {
            blocked = !cache.refusedForThisStepOnly();
            return false;
        }
        start(batch, budget, row, hit, newTokens);
        return true;
    }

    private void start(StepBatch batch, StepBudget budget, int row, int hit, int newTokens) {
        if (state.cachedTokens[row] < 0) {
            state.cachedTokens[row] = hit;
        }
        running.add(waiting.pop());
        batch.admitted().add(state.id[row]);
        batch.add(state.id[row], row, newTokens, hit, padded ? speculation.tokens() : 0);
        budget.take(newTokens);
        state.status[row] = RequestState.RUNNING;
        state.computed[row] = hit;
    }

    /** Tokens of the request's first chunk; 0 if it must wait. */
    private int firstTokens(StepBudget budget, int row, int hit, boolean othersScheduled) {
        int missing = state.tokens[row] - hit;
        padded = false;
        if (missing == 1 && paddable(budget, hit, othersScheduled)) {
            if (1 + speculation.tokens() > budget.left()) {
                return 0;
            }
            missing = 1 + speculation.tokens();
            padded = true;
        }
        int newTokens = budget.limitPrefill(missing);
        if (!settings.chunkedPrefill() && newTokens > budget.left()) {
            return 0;
        }
        newTokens = Math.min(newTokens, budget.left());
        if (align.isActive()) {
            newTokens = align.split(state.prompt[row], state.tokens[row], hit, newTokens, state.junction[row]);
            if (padded && newTokens != 0 && newTokens != 1 + speculation.tokens()) {
                newTokens = 1;
                padded = false;
            }
        }
        return newTokens == 0 ? 0 : keepLookahead(row, hit, newTokens);
    }

    /** Whether a one-token start is filled up to the length of a verification, so that all requests look alike. */
    private boolean paddable(StepBudget budget, int hit, boolean othersScheduled) {
        return speculation.tokens() > 0
                && !budget.prefillScheduled
                && (othersScheduled || hit > 0)
                && hit + 2 + speculation.tokens() <= settings.maxModelLen();
    }

    /** {@code _reserve_prefill_lookahead}: a chunk ends at the end, or far enough before it for the drafter. */
    int keepLookahead(int row, int computed, int newTokens) {
        int lookahead = speculation.prefillLookahead();
        int remaining = state.tokens[row] - computed - newTokens;
        if (remaining > 0 && remaining < lookahead) {
            return Math.max(newTokens - (lookahead - remaining), 0);
        }
        return Math.max(newTokens, 0);
    }
}
