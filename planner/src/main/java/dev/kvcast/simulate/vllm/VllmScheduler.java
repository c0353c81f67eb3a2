package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.Scheduler;
import dev.kvcast.simulate.StepBatch;
import dev.kvcast.simulate.StepLoad;

/**
 * vLLM's V1 scheduler: {@code v1/core/sched/scheduler.py} and, for overlapped steps, {@code async_scheduler.py}. There
 * is no prefill phase and no decode phase: every step gives each request as many tokens as it lacks, running requests
 * first, as far as the budget and the blocks reach.
 */
public final class VllmScheduler implements Scheduler {

    private final SchedulerSettings settings;
    private final Speculation speculation;
    private final RequestState state;
    private final KvCache cache;
    private final AlignSplit align;
    private final Admission admission;
    private final WaitingQueue waiting;
    /** Rows of the requests running, in order of admission. */
    private final IntList running = new IntList();

    private final IntList runningRequests = new IntList();
    private final IntList copies = new IntList();
    private final OutputProcessor output;
    private final DecodeLeap leap;
    private int unfinished;
    private final StepBudget budget = new StepBudget();
    private int runningIndex;

    /** A scheduler with an empty pool. */
    public VllmScheduler(SchedulerSettings settings, RequestTable requests) {
        this.settings = settings;
        speculation = settings.speculation();
        state = new RequestState(requests);
        cache = new KvCache(settings, requests);
        align = new AlignSplit(settings);
        waiting = settings.policy() == SchedulerSettings.Policy.PRIORITY ? new PriorityQueue(state) : new FcfsQueue();
        admission = new Admission(settings, state, cache, align, waiting, running);
        output = new OutputProcessor(settings, state, cache);
        leap = new DecodeLeap(settings, state, cache, running);
    }

    @Override
    public void add(int request) {
        if (waiting.size() == 0 || settings.policy() == SchedulerSettings.Policy.PRIORITY) {
            admission.unblock();
        }
        waiting.add(state.add(request));
        unfinished++;
    }

    @Override
    public void abort(int request) {
        int row = state.row(request);
        if (state.isAlive(row, request) && state.status[row] == RequestState.RUNNING) {
            running.removeAt(running.indexOf(row));
        } else if (state.isAlive(row, request)) {
            waiting.remove(row);
        } else {
            return;
        }
        output.finish(row);
        admission.unblock();
        unfinished--;
    }

    @Override
    public boolean hasRequests() {
        return unfinished > 0;
    }

    @Override
    public void schedule(StepBatch batch) {
        batch.clear();
        state.recycle();
        budget.begin(settings, running.size() + waiting.size());
        cache.newStep();
        scheduleRunning(batch);
        if (batch.preempted().isEmpty()) {
            admission.admit(batch, budget);
        } else {
            admission.unblock();
        }
        cache.settleCopies(copies);
        settle(batch);
    }

    private void scheduleRunning(StepBatch batch) {
        runningIndex = 0;
        while (runningIndex < running.size() && budget.hasRoom()) {
            int row = running.get(runningIndex);
            int newTokens = mustPause(row) ? 0 : newTokens(row);
            if (newTokens == 0) {
                runningIndex++;
                continue;
            }
            if (!growOrPreempt(batch, row, newTokens)) {
                return;
            }
            budget.prefillScheduled |= state.prefilling[row];
            batch.add(state.id[row], row, newTokens, state.computed[row], takeDrafts(row, newTokens));
            budget.take(newTokens);
            runningIndex++;
        }
    }

    /** Whether the request's last token is surely under way, or its pipeline slot is still taken. */
    private boolean mustPause(int row) {
        boolean ends = state.placeholders[row] > 0
                && state.computed[row] + 2 - state.placeholders[row] >= state.prompt[row] + state.limit[row];
        return ends || budget.step < state.eligibleStep[row];
    }

    private int newTokens(int row) {
        int computed = state.computed[row];
        int missing = state.tokens[row] + state.drafts[row] + state.placeholders[row] - computed;
        int newTokens = Math.min(budget.limit(missing), settings.maxModelLen() - computed - 1);
        if (align.isActive()) {
            newTokens = align.split(state.prompt[row], state.tokens[row], computed, newTokens, state.junction[row]);
        }
        return Math.max(0, admission.keepLookahead(row, computed, newTokens));
    }

    /** Gives the request its blocks, if need be those of others; false if it was itself preempted. */
    private boolean growOrPreempt(StepBatch batch, int row, int newTokens) {
        while (!cache.grow(state, row, newTokens, speculation.lookahead())) {
            int victim = popVictim(batch);
            preempt(victim);
            batch.preempted().add(state.id[victim]);
            if (victim == row) {
                return false;
            }
        }
        return true;
    }

    private int popVictim(StepBatch batch) {
        if (settings.policy() == SchedulerSettings.Policy.FCFS) {
            return running.removeLast();
        }
        int index = leastImportant();
        int victim = running.get(index);
        running.removeAt(index);
        if (index < runningIndex) {
            runningIndex--;
        }
        int scheduled = batch.indexOf(state.id[victim]);
        if (scheduled >= 0) {
            budget.giveBack(batch.tokens(scheduled));
            batch.remove(scheduled);
        }
        return victim;
    }

    private int leastImportant() {
        int worst = 0;
        for (int i = 1; i < running.size(); i++) {
            int a = running.get(i);
            int b = running.get(worst);
            int byPriority = Integer.compare(state.priority[a], state.priority[b]);
            int order = byPriority != 0 ? byPriority : Double.compare(state.arrival[a], state.arrival[b]);
            if (order > 0) {
                worst = i;
            }
        }
        return worst;
    }

    private void preempt(int row) {
        cache.preempt(state.slot[row]);
        state.status[row] = RequestState.PREEMPTED;
        state.computed[row] = 0;
        state.drafts[row] = 0;
        state.stale[row] = state.inFlight[row];
        state.placeholders[row] = 0;
        state.preemptions[row]++;
        waiting.prepend(row);
    }

    /** Drafts among the new tokens; what is left of them is dropped. */
    private int takeDrafts(int row, int newTokens) {
        int proposed = state.drafts[row];
        if (proposed == 0) {
            return 0;
        }
        state.drafts[row] = 0;
        int room = newTokens + state.computed[row] - state.tokens[row] - state.placeholders[row];
        return Math.max(0, Math.min(proposed, room));
    }

    /** {@code _update_after_schedule}: tokens count as computed at once, so that the next chunk can go next step. */
    private void settle(StepBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            int row = batch.row(i);
            int newTokens = batch.tokens(i);
            state.computed[row] += newTokens;
            state.inFlight[row] += newTokens;
            boolean prefilling = state.computed[row] < state.tokens[row] + state.placeholders[row];
            state.prefilling[row] = prefilling;
            if (!prefilling) {
                batch.willSample(i);
                if (settings.async()) {
                    state.placeholders[row] += 1 + batch.drafts(i);
                    state.drafts[row] = speculation.tokens();
                    state.eligibleStep[row] = budget.step + settings.pipelineStages();
                }
            }
        }
    }

    @Override
    public void update(StepBatch batch) {
        IntList finished = output.process(batch);
        if (!finished.isEmpty()) {
            admission.unblock();
        }
        for (int i = 0; i < finished.size(); i++) {
            int row = finished.get(i);
            int index = running.indexOf(row);
            if (index >= 0) {
                running.removeAt(index);
            } else {
                waiting.remove(row);
            }
            unfinished--;
        }
    }

    @Override
    public int steadySteps(StepLoad load) {
        boolean nobodyComes = waiting.size() == 0 || admission.isBlocked();
        return nobodyComes && budget.holds(settings, running.size()) ? leap.steadySteps(load) : 0;
    }

    @Override
    public void leap(int steps, StepBatch last) {
        budget.step += steps;
        leap.take(steps, last);
    }

    @Override
    public boolean isBlocked() {
        boolean inOrder = settings.policy() == SchedulerSettings.Policy.FCFS;
        boolean full = running.size() >= settings.maxSequences();
        return inOrder && (full || (waiting.size() > 0 && admission.isBlocked()));
    }

    @Override
    public IntList runningRequests() {
        runningRequests.clear();
        for (int i = 0; i < running.size(); i++) {
            runningRequests.add(state.id[running.get(i)]);
        }
        return runningRequests;
    }

    @Override
    public int concurrentBatches() {
        return settings.concurrentBatches();
    }

    @Override
    public int running() {
        return running.size();
    }

    @Override
    public int waiting() {
        return waiting.size();
    }

    @Override
    public int freeBlocks() {
        return cache.pool().free();
    }

    @Override
    public int usableBlocks() {
        return settings.blocks() - 1;
    }

    @Override
    public int preemptions(int request) {
        return state.preemptions[state.row(request)];
    }

    @Override
    public int outputTokens(int request) {
        return state.outputTokens(state.row(request));
    }

    @Override
    public int cachedTokens(int request) {
        return Math.max(0, state.cachedTokens[state.row(request)]);
    }

    /** Books laid open for the replay of recorded traces. */
    Books books() {
        return new Books(state, cache, running, waiting, copies);
    }

    /** The scheduler's books. */
    record Books(RequestState state, KvCache cache, IntList running, WaitingQueue waiting, IntList copies) {}
}
