package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.engine.vllm.KvLayout.RequestCharge;
import dev.kvcast.engine.vllm.KvLayout.StateMode;
import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.KvSpec.HeadLayout;
import dev.kvcast.engine.vllm.KvSpec.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors about pages, groups and pools from vLLM's own unit tests. */
class GoldenGroupingTest {

    private static final KvGrouping.Policy POLICY = new KvGrouping.Policy(1.5, true, false);
    private static final RequestCharge CHARGE = new RequestCharge(1024, 1, StateMode.NONE);

    static Stream<Golden> layerVectors() {
        return Golden.all().stream().filter(golden -> golden.row() >= 1 && golden.row() <= 11);
    }

    @ParameterizedTest
    @MethodSource("layerVectors")
    void layersBecomeGroups(Golden golden) {
        Map<String, Object> input = golden.input();
        List<String> names = new ArrayList<>();
        List<KvSpec> specs = new ArrayList<>();
        Golden.object(input, "layers").forEach((name, given) -> {
            names.add(name);
            specs.add(spec(given, input));
        });
        boolean hybrid = !Boolean.TRUE.equals(input.get("disable_hybrid_kv_cache_manager"));
        List<LayerGroup> groups = KvGrouping.group(specs, new KvGrouping.Policy(1.5, hybrid, false));
        KvLayout layout = new KvLayout(groups, List.of(0), specs.size(), CHARGE);
        long blocks = input.containsKey("num_gpu_blocks_override")
                ? Golden.number(input, "num_gpu_blocks_override")
                : layout.blocks(Golden.number(input, "available_memory"), 0);
        assertThat(blocks).isEqualTo(Golden.number(golden.expected(), "num_blocks"));
        checkShape(golden.expected(), names, groups, blocks);
    }

    private static void checkShape(
            Map<String, Object> expected, List<String> names, List<LayerGroup> groups, long blocks) {
        if (expected.containsKey("groups")) {
            List<List<String>> named = groups.stream()
                    .map(group -> group.layers().stream().map(names::get).toList())
                    .toList();
            assertThat(named).isEqualTo(expected.get("groups"));
        }
        if (expected.containsKey("tensor_bytes")) {
            List<Long> bytes = new ArrayList<>();
            for (KvSpec spec : groups.get(0).specs()) {
                bytes.add(spec.pageBytes() * blocks);
            }
            List<Number> wanted = Golden.list(expected, "tensor_bytes");
            assertThat(bytes)
                    .containsExactlyElementsOf(
                            wanted.stream().map(Number::longValue).toList());
        }
        if (expected.containsKey("block_sizes")) {
            Golden.object(expected, "block_sizes")
                    .forEach((name, size) ->
                            assertThat(specOf(name, names, groups).blockSize()).isEqualTo(size));
        }
        if (expected.containsKey("page_size_padded")) {
            Golden.object(expected, "page_size_padded")
                    .forEach((name, bytes) -> assertThat(
                                    specOf(name, names, groups).pageBytes())
                            .isEqualTo(((Number) bytes).longValue()));
        }
        if (expected.containsKey("tensor_layers")) {
            List<List<String>> tensors = new ArrayList<>();
            for (int j = 0;
                    j < groups.stream().mapToInt(g -> g.layers().size()).max().orElse(0);
                    j++) {
                List<String> sharing = new ArrayList<>();
                for (LayerGroup group : groups) {
                    if (j < group.layers().size()) {
                        sharing.add(names.get(group.layers().get(j)));
                    }
                }
                tensors.add(sharing);
            }
            assertThat(tensors).isEqualTo(expected.get("tensor_layers"));
        }
    }

    private static KvSpec specOf(String name, List<String> names, List<LayerGroup> groups) {
        for (LayerGroup group : groups) {
            int at = group.layers().indexOf(names.indexOf(name));
            if (at >= 0) {
                return group.specs().get(at);
            }
        }
        throw new AssertionError(name);
    }

    static Stream<Golden> workerVectors() {
        return Golden.all().stream().filter(golden -> golden.row() >= 12 && golden.row() <= 19);
    }

    @ParameterizedTest
    @MethodSource("workerVectors")
    void everyWorkerGetsTheSmallestPool(Golden golden) {
        List<Object> workers = Golden.list(golden.input(), "workers");
        List<Number> available = Golden.list(golden.input(), "available_memory");
        List<String> names = new ArrayList<>();
        List<KvSpec> specs = new ArrayList<>();
        List<Integer> starts = new ArrayList<>();
        List<Integer> stageOfWorker = new ArrayList<>();
        for (Object worker : workers) {
            Map<String, Object> layers = layersOf(worker);
            String first = layers.keySet().iterator().next();
            if (!names.contains(first)) {
                starts.add(specs.size());
                layers.forEach((name, kind) -> {
                    names.add(name);
                    specs.add(spec(kind, golden.input()));
                });
            }
            stageOfWorker.add(starts.indexOf(names.indexOf(first)));
        }
        KvLayout layout = new KvLayout(KvGrouping.group(specs, POLICY), starts, specs.size(), CHARGE);
        long blocks = Long.MAX_VALUE;
        for (int i = 0; i < workers.size(); i++) {
            blocks = Math.min(blocks, layout.blocks(available.get(i).longValue(), stageOfWorker.get(i)));
        }
        List<Number> expected = Golden.list(golden.expected(), "num_blocks");
        assertThat(expected).hasSize(workers.size());
        for (Number perWorker : expected) {
            assertThat(blocks).isEqualTo(perWorker.longValue());
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> layersOf(Object worker) {
        if (worker instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        Map<String, Object> layers = new java.util.LinkedHashMap<>();
        ((List<String>) worker).forEach(name -> layers.put(name, "full"));
        return layers;
    }

    /** A spec given whole, or by kind with a page size that one head of 16-bit elements makes. */
    @SuppressWarnings("unchecked")
    static KvSpec spec(Object given, Map<String, Object> input) {
        if (given instanceof Map<?, ?> map) {
            return attention((Map<String, Object>) map);
        }
        long page = Golden.number(input, "page_size_bytes_per_layer", Golden.number(input, "page_size_bytes", 0));
        HeadLayout heads = heads(1, Math.toIntExact(page / 16 / 4), Math.toIntExact(page / 16 / 4), 2);
        return given.equals("full") ? Attention.full(heads, 16) : Attention.sliding(heads, 16, 1);
    }

    static Attention attention(Map<String, Object> spec) {
        int headSize = Golden.integer(spec, "head_size");
        HeadLayout heads = heads(
                Golden.integer(spec, "num_kv_heads"),
                headSize,
                (int) Golden.number(spec, "head_size_v", headSize),
                Golden.integer(spec, "dtype_bytes"));
        int blockSize = Golden.integer(spec, "block_size");
        return "sliding_window".equals(spec.get("type"))
                ? Attention.sliding(heads, blockSize, Golden.number(spec, "sliding_window"))
                : Attention.full(heads, blockSize);
    }

    static HeadLayout heads(int kvHeads, int keyDim, int valueDim, int dtypeBytes) {
        return new HeadLayout(
                kvHeads,
                keyDim,
                valueDim,
                dtypeBytes == 4 ? KvCacheDtype.FLOAT32 : dtypeBytes == 1 ? KvCacheDtype.FP8 : KvCacheDtype.BFLOAT16);
    }

    static State state(Map<String, Object> input) {
        List<List<Number>> shapes = Golden.list(input, "mamba_shapes");
        List<Number> widths = Golden.list(input, "mamba_dtype_bytes");
        long bytes = 0;
        for (int i = 0; i < shapes.size(); i++) {
            long elements = 1;
            for (Number dimension : shapes.get(i)) {
                elements *= dimension.longValue();
            }
            bytes += elements * widths.get(i).longValue();
        }
        return new State("golden", bytes, 16, 0, 0);
    }
}
