package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.engine.vllm.KvLayout.RequestCharge;
import dev.kvcast.engine.vllm.KvLayout.StateMode;
import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.KvSpec.HeadLayout;
import dev.kvcast.engine.vllm.KvSpec.Reach;
import dev.kvcast.engine.vllm.KvSpec.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors about what a request is charged, and how long it may be, from vLLM's own unit tests. */
class GoldenCapacityTest {

    private static final KvGrouping.Policy POLICY = new KvGrouping.Policy(1.5, true, false);

    private static Golden row(int row) {
        return Golden.all().get(row);
    }

    private static KvLayout layout(List<KvSpec> specs, long inFlightTokens) {
        RequestCharge charge = new RequestCharge(inFlightTokens, 1, StateMode.NONE);
        return new KvLayout(KvGrouping.group(specs, POLICY), List.of(0), specs.size(), charge);
    }

    @Test
    void pageOfOneLayer() {
        Golden golden = row(0);
        assertThat(GoldenGroupingTest.attention(Golden.object(golden.input(), "spec"))
                        .pageBytes())
                .isEqualTo(Golden.number(golden.expected(), "page_size_bytes"));
    }

    static Stream<Golden> longestSequence() {
        return Golden.all().stream().filter(golden -> golden.row() == 20 || golden.row() == 21);
    }

    @ParameterizedTest
    @MethodSource("longestSequence")
    void longestSequenceThatFits(Golden golden) {
        KvSpec spec = GoldenGroupingTest.attention(Golden.object(golden.input(), "spec"));
        KvLayout layout = layout(Collections.nCopies(Golden.integer(golden.input(), "num_layers"), spec), 1024);
        assertThat(layout.longestSequence(
                        Golden.number(golden.input(), "available_memory"),
                        Golden.number(golden.input(), "max_model_len")))
                .isEqualTo(Golden.number(golden.expected(), "estimated_max_model_len"));
    }

    static Stream<Golden> concurrency() {
        return Golden.all().stream().filter(golden -> golden.row() >= 22 && golden.row() <= 26);
    }

    @ParameterizedTest
    @MethodSource("concurrency")
    void concurrencyOfOnePool(Golden golden) {
        List<LayerGroup> groups = new ArrayList<>();
        int first = 0;
        for (Map<String, Object> group : Golden.<Map<String, Object>>list(golden.input(), "groups")) {
            KvSpec spec = GoldenGroupingTest.attention(Golden.object(group, "spec"));
            int layers = Golden.integer(group, "layers");
            List<Integer> indexes = new ArrayList<>();
            for (int i = 0; i < layers; i++) {
                indexes.add(first++);
            }
            groups.add(new LayerGroup(indexes, Collections.nCopies(layers, spec)));
        }
        long inFlight = Golden.number(golden.input(), "max_num_batched_tokens")
                * Golden.number(golden.input(), "max_concurrent_batches");
        long maxModelLen = Golden.number(golden.input(), "max_model_len");
        KvLayout layout = new KvLayout(groups, List.of(0), first, new RequestCharge(inFlight, 1, StateMode.NONE));
        assertThat(layout.chargedBlocks(maxModelLen)).isEqualTo(Golden.number(golden.expected(), "blocks_per_request"));
        PrintedCapacity printed = PrintedCapacity.of(
                layout, Golden.number(golden.input(), "num_blocks"), maxModelLen, PrintedCapacity.Form.CONCURRENCY);
        assertThat(printed.concurrency())
                .isEqualTo(((Number) Objects.requireNonNull(golden.expected().get("max_concurrency"))).doubleValue());
        if (golden.expected().containsKey("kv_cache_size_tokens")) {
            assertThat(printed.tokens()).isEqualTo(Golden.number(golden.expected(), "kv_cache_size_tokens"));
        }
    }

    @Test
    void latentAndSlidingLatentGroups() {
        Golden golden = row(27);
        int blockSize = Golden.integer(golden.input(), "block_size");
        HeadLayout heads = new HeadLayout(1, 576, 0, KvCacheDtype.BFLOAT16);
        Attention full = new Attention(Reach.ALL, 0, 0, true, heads, blockSize, 1, 1, 0);
        long window = Golden.number(golden.input(), "sliding_window");
        Attention sliding = new Attention(Reach.WINDOW, window, 0, true, heads, blockSize, 1, 1, 0);
        long inFlight = Golden.number(golden.input(), "max_num_batched_tokens")
                * Golden.number(golden.input(), "max_concurrent_batches");
        KvLayout layout = layout(List.of(full, sliding), inFlight);
        long maxModelLen = Golden.number(golden.input(), "max_model_len");
        assertThat(layout.rule(full).charged(maxModelLen)).isEqualTo(Golden.number(golden.expected(), "mla_blocks"));
        assertThat(layout.rule(sliding).charged(maxModelLen)).isEqualTo(Golden.number(golden.expected(), "swa_blocks"));
        assertThat(layout.chargedBlocks(maxModelLen)).isEqualTo(Golden.number(golden.expected(), "blocks_per_request"));
    }

    static Stream<Golden> automaticLength() {
        return Golden.all().stream().filter(golden -> golden.row() >= 28 && golden.row() <= 30);
    }

    @ParameterizedTest
    @MethodSource("automaticLength")
    void automaticLengthIsTheLongestThatFits(Golden golden) {
        Map<String, Object> input = golden.input();
        KvSpec full = GoldenGroupingTest.spec("full", input);
        List<KvSpec> specs = new ArrayList<>();
        if (input.containsKey("mamba_cache_mode")) {
            specs.add(new State(
                    "golden",
                    Golden.number(input, "page_size_bytes"),
                    8192,
                    Golden.integer(input, "num_speculative_blocks"),
                    0));
            specs.add(full);
        } else {
            specs.addAll(Collections.nCopies(Golden.integer(input, "layers"), full));
        }
        assertThat(layout(specs, 1024)
                        .longestSequence(
                                Golden.number(input, "available_memory"),
                                Golden.number(input, "derived_max_model_len")))
                .isEqualTo(Golden.number(golden.expected(), "max_model_len"));
    }

    @Test
    void anOverrideTooSmallForOneRequestFails() {
        Golden golden = row(31);
        KvSpec spec =
                Attention.full(GoldenGroupingTest.heads(2, 64, 64, 4), Golden.integer(golden.input(), "block_size"));
        KvLayout layout = layout(Collections.nCopies(Golden.integer(golden.input(), "layers"), spec), 1024);
        long needed = layout.chargedBlocks(Golden.number(golden.input(), "max_model_len"));
        assertThat(needed).isEqualTo(Golden.number(golden.expected(), "blocks_needed"));
        assertThat(needed > Golden.number(golden.input(), "num_gpu_blocks_override"))
                .isEqualTo(golden.expected().get("error"));
    }

    @Test
    void aSmallerDraftPageIsPadded() {
        Golden golden = row(32);
        KvSpec target = GoldenGroupingTest.attention(Golden.object(golden.input(), "target"));
        Map<String, Object> draftInput = Golden.object(golden.input(), "draft");
        KvSpec draft = GoldenGroupingTest.attention(draftInput).withBlockSize(Golden.integer(draftInput, "block_size"));
        assertThat(draft.pageBytes()).isEqualTo(Golden.number(golden.expected(), "draft_unpadded"));
        List<KvSpec> unified = PageUnifier.unify(List.of(target, draft), true).orElseThrow();
        assertThat(unified.get(1).pageBytes()).isEqualTo(Golden.number(golden.expected(), "page_size_bytes"));
        assertThat(unified.get(1).blockSize()).isEqualTo(Golden.integer(golden.expected(), "draft_block_size"));
    }

    @Test
    void scalesPerTokenAndHeadAreCounted() {
        Golden golden = row(33);
        Map<String, Object> input = golden.input();
        int dim = Golden.integer(input, "head_size");
        KvCacheDtype dtype = KvCacheDtype.parse((String) Objects.requireNonNull(input.get("kv_cache_dtype")))
                .orElseThrow();
        HeadLayout heads = new HeadLayout(Golden.integer(input, "num_kv_heads"), dim, dim, dtype);
        assertThat(Attention.full(heads, Golden.integer(input, "block_size")).pageBytes())
                .isEqualTo(Golden.number(golden.expected(), "page_size_bytes"));
    }

    @Test
    void statesAndSmallerAttentionTakeTheDraftsPage() {
        Golden golden = row(34);
        State state = GoldenGroupingTest.state(golden.input());
        KvSpec attention = GoldenGroupingTest.attention(Golden.object(golden.input(), "attn"));
        KvSpec draft = GoldenGroupingTest.attention(Golden.object(golden.input(), "draft"));
        assertThat(state.stateBytes()).isEqualTo(Golden.number(golden.expected(), "mamba_state_bytes"));
        List<KvSpec> unified =
                PageUnifier.unify(List.of(state, attention, draft), true).orElseThrow();
        assertThat(unified).allMatch(spec -> spec.pageBytes() == Golden.number(golden.expected(), "unified_page"));
        assertThat(unified.get(0).blockSize()).isEqualTo(Golden.integer(golden.expected(), "mamba_block_size"));
        assertThat(unified.get(1).blockSize()).isEqualTo(Golden.integer(golden.expected(), "main_attn_block_size"));
    }

    @Test
    void anOddStateIsPadded() {
        Golden golden = row(35);
        State state = GoldenGroupingTest.state(golden.input());
        long largest = Golden.number(golden.input(), "max_page");
        KvSpec draft = Attention.full(GoldenGroupingTest.heads(4, 64, 64, 4), Math.toIntExact(largest / 2048));
        assertThat(state.stateBytes()).isEqualTo(Golden.number(golden.expected(), "mamba_state_bytes"));
        List<KvSpec> unified = PageUnifier.unify(List.of(state, draft), true).orElseThrow();
        assertThat(unified.get(0).pageBytes()).isEqualTo(Golden.number(golden.expected(), "unified_page"));
    }

    @Test
    void promotedWindowsTakeTheFullBlockAndScaleTheirPadding() {
        Golden golden = row(36);
        Map<String, Object> sliding = Golden.object(golden.input(), "sliding");
        int dim = Golden.integer(sliding, "head_size");
        HeadLayout heads = GoldenGroupingTest.heads(
                Golden.integer(sliding, "num_kv_heads"), dim, dim, Golden.integer(sliding, "dtype_bytes"));
        Attention local = Attention.sliding(
                        heads, Golden.integer(sliding, "block_size"), Golden.number(sliding, "sliding_window"))
                .withPaddedPage(Golden.number(sliding, "page_size_padded"));
        Attention promoted = local.promoted(Golden.integer(Golden.object(golden.input(), "full"), "block_size"));
        assertThat(promoted.blockSize()).isEqualTo(Golden.integer(golden.expected(), "promoted_block_size"));
        assertThat(promoted.pageBytes()).isEqualTo(Golden.number(golden.expected(), "promoted_page_size_padded"));
    }

    @Test
    void crossAttentionHoldsTheEncodersTokens() {
        Golden golden = row(58);
        List<Number> lengths = Golden.list(golden.input(), "encoder_lengths");
        List<Number> blocks = Golden.list(golden.expected(), "cross_attn_blocks");
        for (int i = 0; i < lengths.size(); i++) {
            KvSpec.Cross cross = new KvSpec.Cross(
                    GoldenGroupingTest.heads(2, 64, 64, 2),
                    Golden.integer(golden.input(), "block_size"),
                    lengths.get(i).longValue(),
                    0);
            assertThat(layout(List.of(cross), 1024).chargedBlocks(8192))
                    .isEqualTo(blocks.get(i).longValue());
        }
    }

    @Test
    void packedBlocksAreAsWideAsTheWidestGroup() {
        Golden golden = row(60);
        List<LayerGroup> groups = new ArrayList<>();
        int layer = 0;
        for (List<Number> pages : Golden.<List<Number>>list(golden.input(), "groups_page_bytes")) {
            List<Integer> layers = new ArrayList<>();
            List<KvSpec> specs = new ArrayList<>();
            for (Number page : pages) {
                layers.add(layer++);
                specs.add(new State("page", page.longValue(), 16, 0, 0));
            }
            groups.add(new LayerGroup(layers, specs));
        }
        KvLayout layout = new KvLayout(groups, List.of(0), layer, new RequestCharge(0, 1, StateMode.NONE));
        assertThat(layout.bytesPerBlock(0)).isEqualTo(Golden.number(golden.expected(), "bytes_per_block"));
        assertThat(layout.blocks(Golden.number(golden.input(), "available_memory"), 0))
                .isEqualTo(Golden.number(golden.expected(), "num_blocks"));
    }
}
