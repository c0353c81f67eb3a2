package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvcast.engine.vllm.KvLayout.RequestCharge;
import dev.kvcast.engine.vllm.KvLayout.StateMode;
import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.KvSpec.HeadLayout;
import dev.kvcast.engine.vllm.KvSpec.State;
import dev.kvcast.model.StateShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors read off real boots: hybrid block sizes, blocks and the numbers vLLM printed. */
class GoldenBootTest {

    private static final double GIB = 1L << 30;

    /** A hybrid of full attention and gated delta nets, as its boot saw it. */
    private record Hybrid(KvLayout layout, HybridBlockSize aligned) {

        static Hybrid of(Map<String, Object> model, KvCacheDtype dtype, int tp, int speculative, StateMode mode) {
            StateShape.GatedDelta delta = new StateShape.GatedDelta(
                    Golden.integer(model, "k_heads"),
                    Golden.integer(model, "v_heads"),
                    (int) Golden.number(model, "k_dim", 128),
                    (int) Golden.number(model, "v_dim", 128),
                    (int) Golden.number(model, "conv", 4));
            long stateBytes = 2 * delta.convElements(tp, speculative) + 4 * delta.recurrentElements(tp);
            int headDim = Golden.integer(model, "head_dim");
            HeadLayout heads = new HeadLayout(Golden.integer(model, "kv_heads") / tp, headDim, headDim, dtype);
            HybridBlockSize aligned = HybridBlockSize.align(heads.tokenBytes(), stateBytes, 16, 16);
            List<KvSpec> specs = new ArrayList<>();
            int full = (int) Golden.number(model, "full_layers", 8);
            specs.addAll(Collections.nCopies(full, Attention.full(heads, aligned.blockSize())));
            specs.addAll(Collections.nCopies(
                    (int) Golden.number(model, "gdn_layers", 24),
                    new State("delta", stateBytes, aligned.blockSize(), speculative, aligned.pageBytes())));
            RequestCharge charge = new RequestCharge(4096, 1, mode);
            List<LayerGroup> groups = KvGrouping.group(specs, new KvGrouping.Policy(1.5, true, false));
            return new Hybrid(new KvLayout(groups, List.of(0), specs.size(), charge), aligned);
        }
    }

    static Stream<Golden> hybrids() {
        return Golden.all().stream()
                .filter(golden -> List.of(61, 62, 65, 66, 67, 68, 69).contains(golden.row()));
    }

    @ParameterizedTest
    @MethodSource("hybrids")
    void hybridBootsPrintWhatIsComputed(Golden golden) {
        Map<String, Object> input = golden.input();
        Map<String, Object> model = Golden.object(input, "model");
        Hybrid hybrid = Hybrid.of(
                model,
                dtype(input, model),
                (int) Golden.number(input, "tp", 1),
                Golden.integer(input, "num_spec"),
                StateMode.ALIGN);
        Map<String, Object> expected = golden.expected();
        KvLayout layout = hybrid.layout();
        long blocks = input.containsKey("num_blocks")
                ? Golden.number(input, "num_blocks")
                : blocks(layout, ((Number) Objects.requireNonNull(input.get("available_gib"))).doubleValue(), expected);
        long maxModelLen = Golden.number(input, "max_model_len");
        PrintedCapacity printed = PrintedCapacity.of(layout, blocks, maxModelLen, PrintedCapacity.Form.CONCURRENCY);
        checkWhereStated(expected, "attn_block_size", hybrid.aligned().blockSize());
        checkWhereStated(expected, "page_bytes", hybrid.aligned().pageBytes());
        checkWhereStated(expected, "bytes_per_block", layout.bytesPerBlock(0));
        checkWhereStated(expected, "blocks_per_request", layout.chargedBlocks(maxModelLen));
        checkWhereStated(expected, "num_blocks", blocks);
        checkWhereStated(expected, "kv_cache_size_tokens", printed.tokens());
        if (expected.containsKey("max_concurrency_printed")) {
            assertThat(String.format(Locale.ROOT, "%.2fx", printed.concurrency()))
                    .isEqualTo(expected.get("max_concurrency_printed"));
        }
    }

    private static KvCacheDtype dtype(Map<String, Object> input, Map<String, Object> model) {
        if (input.get("kv_cache_dtype") instanceof String name) {
            return KvCacheDtype.parse(name).orElseThrow();
        }
        long tp = Golden.number(input, "tp", 1);
        long bf16 = 2L * 2 * Golden.number(model, "kv_heads") / tp * Golden.number(model, "head_dim");
        boolean halved = input.containsKey("bytes_per_token_per_layer")
                ? Golden.number(input, "bytes_per_token_per_layer") < bf16
                : Golden.number(model, "kv_dtype_bytes") == 1;
        return halved ? KvCacheDtype.FP8 : KvCacheDtype.BFLOAT16;
    }

    /** The log rounds to 0.01 GiB, so the pool is one of a few; the printed one must be among them. */
    private static long blocks(KvLayout layout, double gib, Map<String, Object> expected) {
        long fewest = layout.blocks((long) Math.ceil((gib - 0.005) * GIB), 0);
        long most = layout.blocks((long) Math.floor((gib + 0.005) * GIB), 0);
        long printed = Golden.number(expected, "num_blocks");
        assertThat(printed).isBetween(fewest, most);
        return printed;
    }

    private static void checkWhereStated(Map<String, Object> expected, String key, long value) {
        if (expected.containsKey(key)) {
            assertThat(value).as(key).isEqualTo(Golden.number(expected, key));
        }
    }

    @Test
    void anOldHybridBootPrintedTheOldFormula() {
        Golden golden = Golden.all().get(63);
        Hybrid hybrid = Hybrid.of(golden.input(), KvCacheDtype.BFLOAT16, 1, 0, StateMode.NONE);
        long maxModelLen = Golden.number(golden.input(), "max_model_len");
        PrintedCapacity printed = PrintedCapacity.of(
                hybrid.layout(),
                Golden.number(golden.input(), "num_blocks"),
                maxModelLen,
                PrintedCapacity.Form.BLOCKS_PER_GROUP);
        checkWhereStated(golden.expected(), "attn_block_size", hybrid.aligned().blockSize());
        checkWhereStated(
                golden.expected(), "num_groups", hybrid.layout().groups().size());
        checkWhereStated(
                golden.expected(), "blocks_per_request", hybrid.layout().chargedBlocks(maxModelLen));
        checkWhereStated(golden.expected(), "kv_cache_size_tokens_old_formula", printed.tokens());
        assertThat(String.format(Locale.ROOT, "%.2fx", printed.concurrency()))
                .isEqualTo(golden.expected().get("max_concurrency_printed"));
        KvSpec state = hybrid.layout().groups().get(1).representative();
        assertThat(hybrid.aligned().paddingPercent(((State) state).stateBytes()))
                .isCloseTo(0.13, within(0.005));
    }

    @Test
    void slidingLayersAreChargedTheirWindow() {
        Golden golden = Golden.all().get(64);
        Map<String, Object> input = golden.input();
        int headDim = Golden.integer(input, "head_dim");
        HeadLayout heads = GoldenGroupingTest.heads(
                Golden.integer(input, "kv_heads"), headDim, headDim, Golden.integer(input, "dtype_bytes"));
        int blockSize = Golden.integer(input, "block_size");
        List<KvSpec> specs = new ArrayList<>(
                Collections.nCopies(Golden.integer(input, "full_layers"), Attention.full(heads, blockSize)));
        specs.addAll(Collections.nCopies(
                Golden.integer(input, "sliding_layers"),
                Attention.sliding(heads, blockSize, Golden.number(input, "sliding_window"))));
        RequestCharge charge = new RequestCharge(Golden.number(input, "max_in_flight_tokens"), 1, StateMode.NONE);
        KvLayout layout = new KvLayout(
                KvGrouping.group(specs, new KvGrouping.Policy(1.5, true, false)), List.of(0), specs.size(), charge);
        long maxModelLen = Golden.number(input, "max_model_len");
        checkWhereStated(
                golden.expected(), "group_size", layout.groups().get(0).layers().size());
        checkWhereStated(golden.expected(), "num_groups", layout.groups().size());
        checkWhereStated(golden.expected(), "bytes_per_block", layout.bytesPerBlock(0));
        checkWhereStated(golden.expected(), "blocks_per_request", layout.chargedBlocks(maxModelLen));
        long blocks = blocks(
                layout, ((Number) Objects.requireNonNull(input.get("available_gib"))).doubleValue(), golden.expected());
        PrintedCapacity printed = PrintedCapacity.of(layout, blocks, maxModelLen, PrintedCapacity.Form.CONCURRENCY);
        checkWhereStated(golden.expected(), "kv_cache_size_tokens", printed.tokens());
        assertThat(String.format(Locale.ROOT, "%.2fx", printed.concurrency()))
                .isEqualTo(golden.expected().get("max_concurrency_printed"));
    }

    @Test
    void theSeedsShapeHasBlocksOf528Tokens() {
        Golden golden = Golden.all().get(70);
        Hybrid hybrid = Hybrid.of(golden.input(), KvCacheDtype.BFLOAT16, 1, 0, StateMode.ALIGN);
        checkWhereStated(golden.expected(), "attn_block_size", hybrid.aligned().blockSize());
        for (int prompt : new int[] {979, 552, 500}) {
            // A hit ends before the last token, on a block boundary where a state was kept.
            long hit = (prompt - 1)
                    / hybrid.aligned().blockSize()
                    * (long) hybrid.aligned().blockSize();
            checkWhereStated(golden.expected(), "prefix_hit_tokens_for_prompt_" + prompt, hit);
        }
    }
}
