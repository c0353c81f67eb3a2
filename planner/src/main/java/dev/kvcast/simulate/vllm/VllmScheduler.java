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

    private final VllmSettings settings;
    private final Speculation speculation;
    private final RequestTable requests;
    private final RequestState state;
    private final KvCache cache;
    private final AlignSplit align;
    private final Admission admission;
    private final WaitingQueue waiting;
    private final IntList running = new IntList();
    private final IntList copies = new IntList();
    private final OutputProcessor output;
    private final DecodeLeap leap;
    private int unfinished;
    private final StepBudget budget = new StepBudget();
    private int runningIndex;

    /** A scheduler with an empty pool. */
    public VllmScheduler(VllmSettings settings, RequestTable requests) {
        this.settings = settings;
        this.requests = requests;
        speculation = settings.speculation();
        state = new RequestState(requests);
        cache = new KvCache(settings, requests);
        align = new AlignSplit(settings);
        waiting = settings.policy() == VllmSettings.Policy.PRIORITY ? new PriorityQueue(requests) : new FcfsQueue();
        admission = new Admission(settings, requests, state, cache, align, waiting, running);
        output = new OutputProcessor(settings, requests, state, cache);
        leap = new DecodeLeap(settings, requests, state, cache, running);
    }

    @Override
    public void add(int request) {
        if (waiting.size() == 0 || settings.policy() == VllmSettings.Policy.PRIORITY) {
            admission.unblock();
        }
        state.add(request);
        waiting.add(request);
        unfinished++;
    }

    @Override
    public void abort(int request) {
        if (state.status[request] == RequestState.RUNNING) {
            running.removeAt(running.indexOf(request));
        } else if (state.status[request] != RequestState.FINISHED) {
            waiting.remove(request);
        } else {
            return;
        }
        output.finish(request);
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
            int request = running.get(runningIndex);
            int newTokens = mustPause(request) ? 0 : newTokens(request);
            if (newTokens == 0) {
                runningIndex++;
                continue;
            }
            if (!growOrPreempt(batch, request, newTokens)) {
                return;
            }
            budget.prefillScheduled |= state.prefilling[request];
            batch.add(request, newTokens, state.computed[request], takeDrafts(request, newTokens));
            budget.take(newTokens);
            runningIndex++;
        }
    }

    /** Whether the request's last token is surely under way, or its pipeline slot is still taken. */
    private boolean mustPause(int request) {
        boolean ends = state.placeholders[request] > 0
                && state.computed[request] + 2 - state.placeholders[request]
                        >= state.prompt[request] + requests.maxOutputTokens(request);
        return ends || budget.step < state.eligibleStep[request];
    }

    private int newTokens(int request) {
        int computed = state.computed[request];
        int missing = state.tokens[request] + state.drafts[request] + state.placeholders[request] - computed;
        int newTokens = Math.min(budget.limit(missing), settings.maxModelLen() - computed - 1);
        if (align.isActive()) {
            newTokens = align.split(
                    state.prompt[request], state.tokens[request], computed, newTokens, state.junction[request]);
        }
        return Math.max(0, admission.keepLookahead(request, computed, newTokens));
    }

    /** Gives the request its blocks, if need be those of others; false if it was itself preempted. */
    private boolean growOrPreempt(StepBatch batch, int request, int newTokens) {
        while (!cache.grow(state, request, newTokens, speculation.lookahead())) {
            int victim = popVictim(batch);
            preempt(victim);
            batch.preempted().add(victim);
            if (victim == request) {
                return false;
            }
        }
        return true;
    }

    private int popVictim(StepBatch batch) {
        if (settings.policy() == VllmSettings.Policy.FCFS) {
            return running.removeLast();
        }
        int index = leastImportant();
        int victim = running.get(index);
        running.removeAt(index);
        if (index < runningIndex) {
            runningIndex--;
        }
        int scheduled = batch.indexOf(victim);
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
            int byPriority = Integer.compare(requests.priority(a), requests.priority(b));
            int order = byPriority != 0
                    ? byPriority
                    : Double.compare(requests.arrivalSeconds(a), requests.arrivalSeconds(b));
            if (order > 0) {
                worst = i;
            }
        }
        return worst;
    }

    private void preempt(int request) {
        cache.preempt(state.slot[request]);
        state.status[request] = RequestState.PREEMPTED;
        state.computed[request] = 0;
        state.drafts[request] = 0;
        state.stale[request] = state.inFlight[request];
        state.placeholders[request] = 0;
        state.preemptions[request]++;
        waiting.prepend(request);
    }

    /** Drafts among the new tokens; what is left of them is dropped. */
    private int takeDrafts(int request, int newTokens) {
        int proposed = state.drafts[request];
        if (proposed == 0) {
            return 0;
        }
        state.drafts[request] = 0;
        int room = newTokens + state.computed[request] - state.tokens[request] - state.placeholders[request];
        return Math.max(0, Math.min(proposed, room));
    }

    /** {@code _update_after_schedule}: tokens count as computed at once, so that the next chunk can go next step. */
    private void settle(StepBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            int request = batch.request(i);
            int newTokens = batch.tokens(i);
            state.computed[request] += newTokens;
            state.inFlight[request] += newTokens;
            boolean prefilling = state.computed[request] < state.tokens[request] + state.placeholders[request];
            state.prefilling[request] = prefilling;
            if (!prefilling) {
                batch.willSample(i);
                if (settings.async()) {
                    state.placeholders[request] += 1 + batch.drafts(i);
                    state.drafts[request] = speculation.tokens();
                    state.eligibleStep[request] = budget.step + settings.pipelineStages();
                }
            }
        }
    }

    @Override
    public void update(StepBatch batch) {
        output.process(batch);
        if (!batch.finished().isEmpty()) {
            admission.unblock();
        }
        for (int i = 0; i < batch.finished().size(); i++) {
            int request = batch.finished().get(i);
            int index = running.indexOf(request);
            if (index >= 0) {
                running.removeAt(index);
            } else {
                waiting.remove(request);
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
        boolean inOrder = settings.policy() == VllmSettings.Policy.FCFS;
        boolean full = running.size() >= settings.maxSequences();
        return inOrder && (full || (waiting.size() > 0 && admission.isBlocked()));
    }

    @Override
    public IntList runningRequests() {
        return running;
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
        return state.preemptions[request];
    }

    @Override
    public int outputTokens(int request) {
        return state.outputTokens(request);
    }

    @Override
    public int cachedTokens(int request) {
        return Math.max(0, state.cachedTokens[request]);
    }

    /** Books laid open for the replay of recorded traces. */
    Books books() {
        return new Books(state, cache, running, waiting, copies);
    }

    /** The scheduler's books. */
    record Books(RequestState state, KvCache cache, IntList running, WaitingQueue waiting, IntList copies) {}
}
