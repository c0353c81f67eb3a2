package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.StepBatch;

/** Books a step's output: {@code update_from_output} in {@code v1/core/sched/scheduler.py}. */
final class OutputProcessor {

    private final VllmSettings settings;
    private final RequestTable requests;
    private final RequestState state;
    private final KvCache cache;

    OutputProcessor(VllmSettings settings, RequestTable requests, RequestState state, KvCache cache) {
        this.settings = settings;
        this.requests = requests;
        this.state = state;
        this.cache = cache;
    }

    /** Appends the sampled tokens; requests that end are freed and listed, the caller takes them off its queues. */
    void process(StepBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            int request = batch.request(i);
            if (state.status[request] != RequestState.FINISHED && book(batch, i, request)) {
                finish(request);
                batch.finished().add(request);
            }
        }
        if (settings.speculation().tokens() > 0 && !settings.async()) {
            takeProposals(batch);
        }
    }

    /** Frees a request's blocks and marks it finished. */
    void finish(int request) {
        if (state.slot[request] >= 0) {
            cache.free(state.slot[request]);
            state.dropSlot(request);
        }
        state.status[request] = RequestState.FINISHED;
    }

    private boolean book(StepBatch batch, int index, int request) {
        state.inFlight[request] -= batch.tokens(index);
        boolean stale = state.stale[request] > 0;
        if (stale) {
            state.stale[request] -= batch.tokens(index);
        }
        int sampled = batch.sampled(index);
        if (sampled == 0) {
            return false;
        }
        if (batch.drafts(index) > 0 && !stale) {
            reject(request, batch.drafts(index) - (sampled - 1));
        }
        int before = state.tokens[request];
        boolean stopped = append(request, sampled);
        if (settings.async()) {
            if (!stale) {
                state.placeholders[request] -= state.tokens[request] - before;
            }
            if (state.status[request] == RequestState.RUNNING) {
                cache.publish(state, request, state.computed[request] - state.placeholders[request]);
            }
        }
        return stopped;
    }

    private void reject(int request, int rejected) {
        if (state.computed[request] > 0) {
            state.computed[request] -= rejected;
        }
        if (state.placeholders[request] > 0) {
            state.placeholders[request] -= rejected;
        }
    }

    /** {@code check_stop} after every token; what was sampled beyond the last one is dropped. */
    private boolean append(int request, int sampled) {
        int stopAt = requests.stopAt(request);
        for (int i = 0; i < sampled; i++) {
            int tokens = ++state.tokens[request];
            int generated = tokens - state.prompt[request];
            if ((stopAt > 0 && generated >= stopAt)
                    || tokens >= settings.maxModelLen()
                    || generated >= requests.maxOutputTokens(request)) {
                return true;
            }
        }
        return false;
    }

    private void takeProposals(StepBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            int request = batch.request(i);
            if (batch.samples(i) && state.status[request] != RequestState.FINISHED) {
                state.drafts[request] = state.prefilling[request] ? 0 : batch.proposed(i);
            }
        }
    }
}
