package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.RequestTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One line of a recorded trace; its format is described in {@code src/test/resources/scheduler/README.md}. */
record RecordedWorkload(
        String name, SchedulerSettings settings, RequestTable requests, List<Map<String, Object>> steps) {

    @SuppressWarnings("unchecked")
    static RecordedWorkload of(Map<String, Object> line) {
        Map<String, Object> cfg = (Map<String, Object>) line.get("cfg");
        RequestTable requests = new RequestTable();
        for (Object row : (List<Object>) line.get("r")) {
            add(requests, (List<Object>) row);
        }
        return new RecordedWorkload(
                line.get("fam") + "/" + line.get("n"), settings(cfg), requests, (List<Map<String, Object>>)
                        line.get("steps"));
    }

    private static void add(RequestTable requests, List<Object> row) {
        int prompt = 0;
        for (Object segment : list(row.get(5))) {
            prompt += integer(list(segment).get(1));
        }
        int index = requests.add(integer(row.get(1)), prompt, integer(row.get(2)));
        requests.prioritize(integer(row.get(0)));
        requests.endOutputAt(integer(row.get(3)));
        if (integer(row.get(4)) == 1) {
            requests.skipCache();
        }
        for (Object segment : list(row.get(5))) {
            requests.sharing(
                    integer(list(segment).get(0)), integer(list(segment).get(1)));
        }
        requests.outputSharing(100_000 + index, 0);
    }

    @SuppressWarnings("unchecked")
    private static SchedulerSettings settings(Map<String, Object> cfg) {
        List<CacheGroup> groups = new ArrayList<>();
        for (Object group : list(cfg.get("g"))) {
            groups.add(group((Map<String, Object>) group));
        }
        int batched = integer(cfg.get("mb"));
        return new SchedulerSettings(
                integer(cfg.get("nb")),
                groups,
                flag(cfg.get("pc")),
                cfg.get("ret") == null ? SchedulerSettings.DENSE : integer(cfg.get("ret")),
                cfg.get("pmu") == null ? 0 : integer(cfg.get("pmu")),
                flag(cfg.get("mspc")),
                batched,
                cfg.get("ms") == null ? batched : integer(cfg.get("ms")),
                cfg.get("ma") == null ? integer(cfg.get("mq")) : integer(cfg.get("ma")),
                integer(cfg.get("lp")),
                flag(cfg.get("lpa")),
                integer(cfg.get("ml")),
                "priority".equals(cfg.get("pol")) ? SchedulerSettings.Policy.PRIORITY : SchedulerSettings.Policy.FCFS,
                ((Number) cfg.get("wm")).doubleValue(),
                flag(cfg.get("ri")),
                flag(cfg.get("cpf")),
                flag(cfg.get("as")),
                integer(cfg.get("pp")),
                speculation((Map<String, Object>) cfg.get("spec")));
    }

    private static Speculation speculation(Map<String, Object> spec) {
        return spec == null
                ? Speculation.NONE
                : new Speculation(
                        integer(spec.get("k")),
                        integer(spec.get("la")),
                        integer(spec.get("slots")),
                        integer(spec.get("pl")),
                        flag(spec.get("eagle")));
    }

    private static CacheGroup group(Map<String, Object> group) {
        int blockSize = integer(group.get("bs"));
        CacheGroup spec = switch ((String) group.get("t")) {
            case "full" -> CacheGroup.full(blockSize);
            case "swa" -> CacheGroup.window(blockSize, integer(group.get("w")));
            case "chunk" -> CacheGroup.chunked(blockSize, integer(group.get("c")));
            default ->
                "align".equals(group.get("m"))
                        ? CacheGroup.alignedState(blockSize, integer(group.get("sb")))
                        : CacheGroup.state(blockSize, integer(group.get("sb")));
        };
        if (group.get("cb") != null) {
            spec = spec.withCheckpoints(integer(group.get("ca")));
        }
        return group.get("e") == null ? spec : spec.asDraft();
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    static int integer(Object value) {
        return ((Number) value).intValue();
    }

    private static boolean flag(Object value) {
        return Boolean.TRUE.equals(value);
    }
}
