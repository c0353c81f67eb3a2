package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.StepBatch;

/** Books a step's output: {@code update_from_output} in {@code v1/core/sched/scheduler.py}. */
final class OutputProcessor {

    private final SchedulerSettings settings;
    private final RequestState state;
    private final KvCache cache;
    private final IntList finishedRows = new IntList();

    OutputProcessor(SchedulerSettings settings, RequestState state, KvCache cache) {
        this.settings = settings;
        this.state = state;
        this.cache = cache;
    }

    /** Appends the sampled tokens; requests that end are freed and listed, the caller takes them off its queues. */
    IntList process(StepBatch batch) {
        finishedRows.clear();
        for (int i = 0; i < batch.size(); i++) {
            int row = batch.row(i);
            if (state.isAlive(row, batch.request(i)) && book(batch, i, row)) {
                finish(row);
                finishedRows.add(row);
                batch.finished().add(state.id[row]);
            }
        }
        if (settings.speculation().tokens() > 0 && !settings.async()) {
            takeProposals(batch);
        }
        return finishedRows;
    }

    /** Frees a request's blocks and marks it finished. */
    void finish(int row) {
        if (state.slot[row] >= 0) {
            cache.free(state.slot[row]);
            state.dropSlot(row);
        }
        state.finish(row);
    }

    private boolean book(StepBatch batch, int index, int row) {
        state.inFlight[row] -= batch.tokens(index);
        boolean stale = state.stale[row] > 0;
        if (stale) {
            state.stale[row] -= batch.tokens(index);
        }
        int sampled = batch.sampled(index);
        if (sampled == 0) {
            return false;
        }
        if (batch.drafts(index) > 0 && !stale) {
            reject(row, batch.drafts(index) - (sampled - 1));
        }
        int before = state.tokens[row];
        boolean stopped = append(row, sampled);
        if (settings.async()) {
            if (!stale) {
                state.placeholders[row] -= state.tokens[row] - before;
            }
            if (state.status[row] == RequestState.RUNNING) {
                cache.publish(state, row, state.computed[row] - state.placeholders[row]);
            }
        }
        return stopped;
    }

    private void reject(int row, int rejected) {
        if (state.computed[row] > 0) {
            state.computed[row] -= rejected;
        }
        if (state.placeholders[row] > 0) {
            state.placeholders[row] -= rejected;
        }
    }

    /** {@code check_stop} after every token; what was sampled beyond the last one is dropped. */
    private boolean append(int row, int sampled) {
        int stopAt = state.stopAt[row];
        for (int i = 0; i < sampled; i++) {
            int tokens = ++state.tokens[row];
            int generated = tokens - state.prompt[row];
            if ((stopAt > 0 && generated >= stopAt)
                    || tokens >= settings.maxModelLen()
                    || generated >= state.limit[row]) {
                return true;
            }
        }
        return false;
    }

    private void takeProposals(StepBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            int row = batch.row(i);
            if (batch.samples(i) && state.isAlive(row, batch.request(i))) {
                state.drafts[row] = state.prefilling[row] ? 0 : batch.proposed(i);
            }
        }
    }
}
