package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.StepBatch;
import dev.kvcast.simulate.StepLoad;

/**
 * Many steps at once. While every running request decodes, nobody can be admitted, nobody finishes and blocks suffice,
 * a step gives each request one token and decides nothing. The state after {@code k} such steps is that after {@code k}
 * calls of {@link VllmScheduler#schedule} and {@link VllmScheduler#update}, but for the numbers of blocks taken: those
 * are interchangeable, since a block taken holds nothing.
 */
final class DecodeLeap {

    private final RequestState state;
    private final KvCache cache;
    private final IntList running;
    private final int maxModelLen;
    private final boolean async;
    private final boolean possible;

    DecodeLeap(SchedulerSettings settings, RequestState state, KvCache cache, IntList running) {
        this.state = state;
        this.cache = cache;
        this.running = running;
        maxModelLen = settings.maxModelLen();
        async = settings.async();
        possible = settings.pipelineStages() == 1 && settings.speculation().tokens() == 0;
    }

    /** Steps that surely decide nothing, the load of the first of them in {@code load}. */
    int steadySteps(StepLoad load) {
        load.clear();
        int steps = possible ? Integer.MAX_VALUE : 0;
        for (int i = 0; i < running.size() && steps > 0; i++) {
            int row = running.get(i);
            if (!isSteady(row)) {
                return 0;
            }
            int computed = state.computed[row];
            steps = Math.min(steps, stepsBeforeLast(row));
            steps = Math.min(steps, cache.quietSteps(state.slot[row], computed));
            load.decode(1, computed);
        }
        return steps <= 0 ? 0 : affordable(Math.min(steps, load.affineSteps()));
    }

    /** Whether the request lacks exactly one token, or would once the step under way is done. */
    private boolean isSteady(int row) {
        int underWay = async ? 1 : 0;
        return state.placeholders[row] == underWay
                && state.inFlight[row] == underWay
                && state.computed[row] == state.tokens[row] - 1 + underWay;
    }

    private int stepsBeforeLast(int row) {
        int end = Math.min(
                state.prompt[row]
                        + (state.stopAt[row] > 0 ? Math.min(state.stopAt[row], state.limit[row]) : state.limit[row]),
                maxModelLen);
        return end - state.tokens[row] - 1;
    }

    /** As many of the steps as there are blocks for. */
    private int affordable(int steps) {
        if (cache.mostBlocks(running.size(), steps) <= cache.pool().free()) {
            return steps;
        }
        int enough = 0;
        int tooMany = steps + 1;
        int candidate = steps;
        while (enough + 1 < tooMany) {
            if (blocksFor(candidate) <= cache.pool().free()) {
                enough = candidate;
            } else {
                tooMany = candidate;
            }
            candidate = (enough + tooMany) >>> 1;
        }
        return enough;
    }

    private long blocksFor(int steps) {
        long blocks = 0;
        for (int i = 0; i < running.size(); i++) {
            int row = running.get(i);
            blocks += cache.missingBlocks(state.slot[row], state.computed[row] + steps);
        }
        return blocks;
    }

    /** Takes the steps; {@code last} becomes the one whose output is still under way. */
    void take(int steps, StepBatch last) {
        last.clear();
        for (int i = 0; i < running.size(); i++) {
            int row = running.get(i);
            int computed = state.computed[row] + steps;
            cache.leap(state, row, computed, async ? computed - 1 : computed);
            state.computed[row] = computed;
            state.tokens[row] += steps;
            if (async) {
                last.add(state.id[row], row, 1, computed - 1, 0);
                last.willSample(i);
            }
        }
    }
}
