package dev.kvcast.simulate.vllm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.StepBatch;
import dev.kvcast.simulate.TokenHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors from vLLM's own unit tests; each line of the file names the test it was taken from. */
class UnitVectorsTest {

    private static final int SLOT = 0;

    static List<Map<String, Object>> vectors() throws IOException {
        List<Map<String, Object>> vectors = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(UnitVectorsTest.class.getResourceAsStream("/scheduler/unit-vectors.jsonl")),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                vectors.add(JSON.std.mapFrom(line));
            }
        }
        return vectors;
    }

    @Test
    void allAreThere() throws IOException {
        assertThat(vectors()).hasSize(21);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void holds(Map<String, Object> vector) {
        Map<String, Object> in = map(vector.get("input"));
        Map<String, Object> out = map(vector.get("expected"));
        String what = String.valueOf(vector.get("what"));
        switch (what.substring(0, 8)) {
            case "schedule" -> blockSizes(in, out);
            case "lookahea" -> lookahead(in, out);
            case "20 block", "1 evicta" -> evictable(in, out);
            case "sliding-" -> windowHit(in, out);
            case "chunked " -> thresholds(in, out);
            case "cross-at" -> crossAttention(in, out);
            case "priority" -> priority(in, out);
            default -> alignSplit(in, out);
        }
    }

    private static void blockSizes(Map<String, Object> in, Map<String, Object> out) {
        List<CacheGroup> groups = new ArrayList<>();
        for (Object size : list(in.get("group_block_sizes"))) {
            groups.add(groups.isEmpty() ? CacheGroup.full(number(size)) : CacheGroup.alignedState(number(size), 0));
        }
        SchedulerSettings settings = settings(100, groups, 1024, 0, 4, SchedulerSettings.Policy.FCFS);
        assertThat(settings.schedulerBlockSize()).isEqualTo(number(out.get("scheduler_block_size")));
        assertThat(settings.hashBlockSize()).isEqualTo(number(out.get("hash_block_size")));
    }

    private static void lookahead(Map<String, Object> in, Map<String, Object> out) {
        RequestTable requests = new RequestTable();
        requests.add(0, number(in.get("num_new_tokens")), 8);
        SchedulerSettings settings = settings(
                100, List.of(CacheGroup.full(number(in.get("block_size")))), 1024, 0, 4, SchedulerSettings.Policy.FCFS);
        KvCache cache = new KvCache(settings, requests);
        RequestState state = new RequestState(requests);
        int row = state.add(0);
        cache.open(state.takeSlot(row), 0);
        cache.lookup(SLOT, state.tokens[row], false);
        int lookahead = number(in.get("num_lookahead_tokens"));
        assertThat(cache.admit(state, row, state.tokens[row], 0, lookahead, true, false))
                .isTrue();
        assertThat(cache.groups()[0].length[SLOT]).isEqualTo(number(out.get("blocks")));
    }

    /** Blocks of a hit that are free count as taken, for they leave the free list. */
    private static void evictable(Map<String, Object> in, Map<String, Object> out) {
        boolean window = in.containsKey("hit_null_blocks");
        int blockSize = number(in.get("block_size"));
        int tokens = number(in.get("num_tokens"));
        int nulls = window ? number(in.get("hit_null_blocks")) : 0;
        BlockPool pool = new BlockPool(100, true);
        PrefixHashes hashes = new PrefixHashes(new RequestTable(), blockSize, false);
        CacheGroup spec = window ? CacheGroup.window(blockSize, 1000) : CacheGroup.full(blockSize);
        SchedulerSettings settings = settings(100, List.of(spec), 1024, 0, 4, SchedulerSettings.Policy.FCFS);
        BlockGroup group = window
                ? new WindowGroup(0, spec, pool, hashes, settings)
                : new FullGroup(0, spec, pool, hashes, blockSize);
        group.open(SLOT);
        IntList hits = group.hit;
        hits.fill(BlockPool.NULL_BLOCK, nulls);
        int cached = number(in.get("hit_blocks"));
        for (int block = 1; block <= cached; block++) {
            hits.add(block);
        }
        int computed = hits.size() * blockSize;
        int needed = group.needed(SLOT, tokens, hits, computed, tokens, false, 0);
        Object expected = out.containsKey("blocks") ? out.get("blocks") : out.get("capacity_check_blocks");
        assertThat(needed).isEqualTo(number(expected));
        if (out.containsKey("newly_allocated")) {
            group.adopt(SLOT, computed);
            int before = group.length[SLOT];
            group.extend(SLOT, tokens, tokens);
            assertThat(group.length[SLOT] - before).isEqualTo(number(out.get("newly_allocated")));
        }
    }

    private static void windowHit(Map<String, Object> in, Map<String, Object> out) {
        int blockSize = number(in.get("block_size"));
        List<Object> cached = list(in.get("cached"));
        RequestTable requests = new RequestTable();
        requests.add(0, cached.size() * blockSize, 1);
        requests.sharing(7, cached.size() * blockSize);
        PrefixHashes hashes = new PrefixHashes(requests, blockSize, false);
        hashes.open(SLOT, 0);
        BlockPool pool = new BlockPool(100, true);
        for (int i = 0; i < cached.size(); i++) {
            if (number(cached.get(i)) == 1) {
                pool.publish(pool.take(), TokenHash.key(hashes.at(SLOT, i), 0), (i + 1) * blockSize);
            }
        }
        CacheGroup spec = CacheGroup.window(blockSize, number(in.get("sliding_window")));
        SchedulerSettings settings = settings(100, List.of(spec), 1024, 0, 4, SchedulerSettings.Policy.FCFS);
        WindowGroup group = new WindowGroup(0, spec, pool, hashes, settings);
        LookupSet set = new LookupSet(group, false, pool, hashes);
        int hit = group.lookup(set, SLOT, cached.size() * blockSize, false, blockSize);
        assertThat(hit / blockSize).isEqualTo(number(out.get("hit_blocks")));
        assertThat(group.hit.size()).isEqualTo(number(out.get("hit_blocks")));
    }

    private static void thresholds(Map<String, Object> in, Map<String, Object> out) {
        RequestTable requests = new RequestTable();
        SchedulerSettings settings = settings(
                10_000,
                List.of(CacheGroup.full(16)),
                number(in.get("max_num_batched_tokens")),
                number(in.get("long_prefill_token_threshold")),
                16,
                SchedulerSettings.Policy.FCFS);
        VllmScheduler scheduler = new VllmScheduler(settings, requests);
        for (Object prompt : list(in.get("prompts"))) {
            scheduler.add(requests.add(0, number(prompt), 16));
        }
        for (Object step : list(out.get("scheduled_per_step"))) {
            StepBatch batch = new StepBatch();
            scheduler.schedule(batch);
            List<Object> tokens = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                tokens.add(batch.tokens(i));
            }
            assertThat(tokens).isEqualTo(list(step));
            scheduler.update(batch);
        }
    }

    private static void crossAttention(Map<String, Object> in, Map<String, Object> out) {
        int blockSize = number(in.get("block_size"));
        BlockPool pool = new BlockPool(1000, false);
        PrefixHashes hashes = new PrefixHashes(new RequestTable(), blockSize, false);
        List<Object> blocks = new ArrayList<>();
        int slot = 0;
        CrossGroup group = new CrossGroup(0, CacheGroup.cross(blockSize), pool, hashes, blockSize);
        for (Object length : list(in.get("encoder_lengths"))) {
            group.open(slot);
            group.expect(slot, number(length));
            group.extend(slot, 1, 1);
            blocks.add(group.length[slot]);
            slot++;
        }
        assertThat(blocks).isEqualTo(list(out.get("cross_attn_blocks")));
    }

    private static void priority(Map<String, Object> in, Map<String, Object> out) {
        RequestTable requests = new RequestTable();
        SchedulerSettings settings = settings(
                number(in.get("num_blocks")),
                List.of(CacheGroup.full(number(in.get("block_size")))),
                number(in.get("max_num_batched_tokens")),
                0,
                number(in.get("max_num_seqs")),
                SchedulerSettings.Policy.PRIORITY);
        VllmScheduler scheduler = new VllmScheduler(settings, requests);
        int low = requests.add(0, 30, 100);
        requests.prioritize(1);
        scheduler.add(low);
        step(scheduler);
        int high = requests.add(1, 32, 100);
        requests.prioritize(0);
        scheduler.add(high);
        step(scheduler);
        assertThat(scheduler.freeBlocks()).isEqualTo(number(out.get("free_blocks_after_step2")));
        StepBatch third = step(scheduler);
        assertThat(third.preempted().toArray()).containsExactly(low);
        assertThat(third.size()).isOne();
        assertThat(third.request(0)).isEqualTo(high);
        scheduler.abort(high);
        StepBatch resumed = step(scheduler);
        // Its 30 prompt tokens and the two it had generated.
        assertThat(resumed.context(0) + resumed.tokens(0)).isEqualTo(number(out.get("resumed_tokens")));
    }

    private static StepBatch step(VllmScheduler scheduler) {
        StepBatch batch = new StepBatch();
        scheduler.schedule(batch);
        scheduler.update(batch);
        return batch;
    }

    private static void alignSplit(Map<String, Object> in, Map<String, Object> out) {
        int blockSize = number(in.get("block_size"));
        int prompt = number(in.get("prompt"));
        List<Object> budgets = in.containsKey("budgets_first")
                ? list(in.get("budgets_first"))
                : List.of(in.get("max_num_batched_tokens"));
        for (Object budget : budgets) {
            SchedulerSettings settings = settings(
                    1000,
                    List.of(CacheGroup.full(blockSize), CacheGroup.alignedState(blockSize, 0)),
                    Math.max(blockSize, number(budget)),
                    0,
                    4,
                    SchedulerSettings.Policy.FCFS);
            List<Object> chunks =
                    chunks(new AlignSplit(settings), prompt, number(budget), settings.maxScheduledTokens());
            if (out.containsKey("chunks")) {
                assertThat(chunks).isEqualTo(list(out.get("chunks")));
            } else {
                int multiple = number(out.get("intermediate_ends_multiple_of"));
                int end = 0;
                for (Object chunk : chunks.subList(0, chunks.size() - 1)) {
                    end += number(chunk);
                    assertThat(end % multiple).isZero();
                }
            }
        }
    }

    /** Chunks of a prompt whose first step has {@code first} tokens left; one that gets none waits for a whole step. */
    private static List<Object> chunks(AlignSplit split, int prompt, int first, int whole) {
        List<Object> chunks = new ArrayList<>();
        int start = 0;
        int budget = first;
        while (start < prompt) {
            int chunk = split.split(prompt, prompt, start, Math.min(prompt - start, budget), 0);
            if (chunk > 0) {
                chunks.add(chunk);
            }
            start += chunk;
            budget = whole;
        }
        return chunks;
    }

    private static SchedulerSettings settings(
            int blocks,
            List<CacheGroup> groups,
            int batched,
            int threshold,
            int sequences,
            SchedulerSettings.Policy policy) {
        return new SchedulerSettings(
                blocks,
                groups,
                true,
                0,
                0,
                false,
                batched,
                batched,
                sequences,
                threshold,
                false,
                16_384,
                policy,
                0,
                true,
                true,
                false,
                1,
                Speculation.NONE);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<Object> list(Object value) {
        return RecordedWorkload.list(value);
    }

    private static int number(Object value) {
        return RecordedWorkload.integer(value);
    }
}
