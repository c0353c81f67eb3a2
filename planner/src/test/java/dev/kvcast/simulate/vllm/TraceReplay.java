package dev.kvcast.simulate.vllm;

import static dev.kvcast.simulate.vllm.RecordedWorkload.integer;
import static dev.kvcast.simulate.vllm.RecordedWorkload.list;

import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.StepBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** Drives {@link VllmScheduler} through the events of a recorded trace and compares every field of every step. */
final class TraceReplay {

    private final RecordedWorkload workload;
    private final VllmScheduler scheduler;
    private final Deque<StepBatch> inFlight = new ArrayDeque<>();
    private List<Object> lastScheduled = List.of();

    TraceReplay(RecordedWorkload workload) {
        this.workload = workload;
        scheduler = new VllmScheduler(workload.settings(), workload.requests());
    }

    /** Number of steps that came out as recorded, from the first on. */
    int stepsIdentical(List<String> differences) {
        for (int i = 0; i < workload.steps().size(); i++) {
            String difference = step(workload.steps().get(i));
            if (!difference.isEmpty()) {
                differences.add(workload.name() + " step " + i + ": " + difference);
                return i;
            }
        }
        return workload.steps().size();
    }

    private String step(Map<String, Object> step) {
        for (Object event : list(step.getOrDefault("e", List.of()))) {
            int code = integer(event);
            if (code >= 0) {
                scheduler.add(code);
            } else {
                scheduler.abort(-1 - code);
            }
        }
        int kind = step.containsKey("k") ? integer(step.get("k")) : 3;
        String difference = "";
        if ((kind & 1) != 0) {
            difference = schedule(step);
        }
        if (difference.isEmpty() && (kind & 2) != 0) {
            difference = update(step);
        }
        return difference;
    }

    private String schedule(Map<String, Object> step) {
        Map<Integer, int[]> tableLengths = tableLengths();
        Map<Integer, Boolean> preempted = new HashMap<>();
        RequestState state = scheduler.books().state();
        for (int row : scheduler.books().waiting().toArray()) {
            preempted.put(state.id[row], state.status[row] == RequestState.PREEMPTED);
        }
        StepBatch batch = new StepBatch();
        scheduler.schedule(batch);
        inFlight.addLast(batch);
        Map<String, Object> got = new HashMap<>();
        got.put("s", scheduled(batch));
        got.put("w", admitted(batch, preempted));
        got.put("b", grown(batch, tableLengths));
        got.put("p", numbers(batch.preempted()));
        got.put("d", drafts(batch));
        got.put("cp", copies());
        got.put("n", List.of(scheduler.running(), scheduler.waiting(), scheduler.freeBlocks()));
        got.put("c", List.of(queueChecksum(), blockChecksum()));
        lastScheduled = step.containsKey("s") ? list(step.get("s")) : lastScheduled;
        for (Map.Entry<String, Object> field : got.entrySet()) {
            Object expected = field.getKey().equals("s") ? lastScheduled : step.getOrDefault(field.getKey(), List.of());
            if (!expected.equals(field.getValue())) {
                return field.getKey() + " is " + field.getValue() + ", recorded " + expected + " | " + got;
            }
        }
        return "";
    }

    private String update(Map<String, Object> step) {
        Map<String, Object> recorded = map(step.getOrDefault("u", Map.of()));
        StepBatch batch = inFlight.removeFirst();
        List<Object> aborted = list(recorded.getOrDefault("x", List.of()));
        aborted.forEach(request -> scheduler.abort(integer(request)));
        Map<Integer, Integer> sampled = pairs(recorded.get("g"));
        Map<Integer, Integer> proposed = pairs(recorded.get("dr"));
        for (int i = 0; i < batch.size(); i++) {
            if (batch.samples(i)) {
                batch.sampled(i, sampled.getOrDefault(batch.request(i), 1));
                int tokens = workload.settings().speculation().tokens();
                batch.proposed(i, proposed.getOrDefault(batch.request(i), tokens));
            }
        }
        scheduler.update(batch);
        List<Object> finished = new ArrayList<>();
        for (int i = 0; i < batch.finished().size(); i++) {
            int request = batch.finished().get(i);
            int stopAt = workload.requests().stopAt(request);
            finished.add(request);
            finished.add(stopAt > 0 && scheduler.outputTokens(request) >= stopAt ? "s" : "l");
        }
        List<Object> expected = list(recorded.getOrDefault("f", List.of()));
        if (!expected.equals(finished)) {
            return "f is " + finished + ", recorded " + expected;
        }
        List<Object> counts = List.of(scheduler.running(), scheduler.waiting(), scheduler.freeBlocks());
        boolean counted = recorded.containsKey("n");
        return counted && !counts.equals(recorded.get("n")) ? "u.n is " + counts + ", " + recorded.get("n") : "";
    }

    private static List<Object> scheduled(StepBatch batch) {
        List<Object> pairs = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            pairs.add(batch.request(i));
            pairs.add(batch.tokens(i));
        }
        return pairs;
    }

    private List<Object> admitted(StepBatch batch, Map<Integer, Boolean> preempted) {
        List<Object> entries = new ArrayList<>();
        for (int i = 0; i < batch.admitted().size(); i++) {
            int request = batch.admitted().get(i);
            List<Object> tables = new ArrayList<>();
            for (BlockGroup group : scheduler.books().cache().groups()) {
                tables.add(blocks(group, request, 0));
            }
            int resumed = preempted.getOrDefault(request, false) ? 1 : 0;
            int hit = batch.context(batch.indexOf(request));
            entries.add(List.of(request, resumed, hit, junction(request), tables));
        }
        return entries;
    }

    private int junction(int request) {
        RequestState state = scheduler.books().state();
        return state.junction[state.row(request)];
    }

    private List<Object> grown(StepBatch batch, Map<Integer, int[]> before) {
        List<Object> entries = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            int request = batch.request(i);
            if (batch.admitted().indexOf(request) >= 0) {
                continue;
            }
            List<Object> entry = new ArrayList<>(List.of(request));
            boolean any = false;
            for (BlockGroup group : scheduler.books().cache().groups()) {
                List<Object> fresh = blocks(group, request, before.get(request)[group.id]);
                entry.add(fresh);
                any |= !fresh.isEmpty();
            }
            if (any) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private List<Object> blocks(BlockGroup group, int request, int from) {
        RequestState state = scheduler.books().state();
        int slot = state.slot[state.row(request)];
        List<Object> ids = new ArrayList<>();
        for (int i = from; i < group.length[slot]; i++) {
            ids.add(group.table[slot][i]);
        }
        return ids;
    }

    private Map<Integer, int[]> tableLengths() {
        Map<Integer, int[]> lengths = new HashMap<>();
        IntList running = scheduler.books().running();
        BlockGroup[] groups = scheduler.books().cache().groups();
        for (int i = 0; i < running.size(); i++) {
            RequestState state = scheduler.books().state();
            int slot = state.slot[running.get(i)];
            int[] each = new int[groups.length];
            for (int g = 0; g < groups.length; g++) {
                each[g] = groups[g].length[slot];
            }
            lengths.put(state.id[running.get(i)], each);
        }
        return lengths;
    }

    private static List<Object> drafts(StepBatch batch) {
        List<Object> pairs = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.drafts(i) > 0) {
                pairs.add(batch.request(i));
                pairs.add(batch.drafts(i));
            }
        }
        return pairs;
    }

    private List<Object> copies() {
        IntList copies = scheduler.books().copies();
        List<Object> pairs = new ArrayList<>();
        for (int i = 0; i < copies.size(); i += 2) {
            pairs.add(List.of(copies.get(i), copies.get(i + 1)));
        }
        return pairs;
    }

    private int queueChecksum() {
        RequestState state = scheduler.books().state();
        IntList running = scheduler.books().running();
        IntList values = new IntList();
        values.add(running.size());
        for (int i = 0; i < running.size(); i++) {
            int row = running.get(i);
            values.add(state.id[row]);
            values.add(state.computed[row]);
            values.add(state.tokens[row]);
            values.add(state.placeholders[row]);
            values.add(state.drafts[row]);
        }
        int[] waiting = scheduler.books().waiting().toArray();
        values.add(waiting.length);
        for (int row : waiting) {
            values.add(state.id[row]);
        }
        return checksum(values);
    }

    private int blockChecksum() {
        IntList values = new IntList();
        KvCache cache = scheduler.books().cache();
        values.add(cache.pool().free());
        for (int block = cache.pool().nextFree(-1);
                block >= 0;
                block = cache.pool().nextFree(block)) {
            values.add(block);
        }
        IntList running = scheduler.books().running();
        for (int i = 0; i < running.size(); i++) {
            for (BlockGroup group : cache.groups()) {
                List<Object> blocks = blocks(group, scheduler.books().state().id[running.get(i)], 0);
                values.add(blocks.size());
                blocks.forEach(block -> values.add(integer(block)));
            }
        }
        values.add(cache.pool().cachedPrefixes());
        return checksum(values);
    }

    private static int checksum(IntList values) {
        CRC32 crc = new CRC32();
        for (int value : values.toArray()) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                crc.update(value >>> shift & 0xFF);
            }
        }
        return (int) crc.getValue() & 0xFFFF;
    }

    private static List<Object> numbers(IntList values) {
        List<Object> numbers = new ArrayList<>();
        for (int value : values.toArray()) {
            numbers.add(value);
        }
        return numbers;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static Map<Integer, Integer> pairs(Object value) {
        Map<Integer, Integer> pairs = new HashMap<>();
        List<Object> flat = value == null ? List.of() : list(value);
        for (int i = 0; i < flat.size(); i += 2) {
            pairs.put(integer(flat.get(i)), integer(flat.get(i + 1)));
        }
        return pairs;
    }
}
