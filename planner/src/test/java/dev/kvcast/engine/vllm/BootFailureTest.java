package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.engine.BootFailure;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.InputException;
import dev.kvcast.model.io.ModelCatalog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The errors that stop a boot: each names its cause, its numbers and what would help. */
class BootFailureTest {

    private static final long GIB = 1L << 30;

    private final VllmEngine engine = new VllmEngine(MemoryCoefficientsFile.packaged());

    @Test
    void noMemoryIsLeftForTheCache() {
        BootFailure failure = failure("Qwen/Qwen3-8B", -1, "--max-model-len", "4096");
        assertThat(failure.message())
                .startsWith("No available memory for the cache blocks")
                .contains("GiB")
                .contains("--gpu-memory-utilization");
    }

    @Test
    void theLongestRequestDoesNotFit() {
        String[] flags = {"--max-model-len", "40960"};
        BootFailure failure = failure("Qwen/Qwen3-8B", 2 * GIB, flags);
        assertThat(failure.message())
                .contains("max_model_len 40960")
                .contains("5.63 GiB of KV cache is needed")
                .contains("the longest that fits is " + failure.largestModelLen());
        assertThat(failure.largestModelLen()).isPositive();
        String longest = String.valueOf(failure.largestModelLen());
        String beyond = String.valueOf(failure.largestModelLen() + 1);
        assertThat(plan("Qwen/Qwen3-8B", 2 * GIB, "--max-model-len", longest).failure())
                .isEmpty();
        assertThat(plan("Qwen/Qwen3-8B", 2 * GIB, "--max-model-len", beyond).failure())
                .isPresent();
    }

    @Test
    void automaticLengthIsTheLongestThatFits() {
        BootPlan automatic = plan("Qwen/Qwen3-8B", 2 * GIB, "--max-model-len", "auto");
        BootFailure refused = failure("Qwen/Qwen3-8B", 2 * GIB, "--max-model-len", "40960");
        assertThat(automatic.failure()).isEmpty();
        assertThat(automatic.pool().maxModelLen()).isEqualTo(refused.largestModelLen());
    }

    @Test
    void automaticLengthFindsNoRoom() {
        BootFailure failure = failure("Qwen/Qwen3-8B", GIB / 1024, "--max-model-len", "auto");
        assertThat(failure.message()).containsAnyOf("Cannot auto-fit max_model_len", "No available memory");
    }

    @Test
    void moreSequencesThanStateBlocks() {
        BootFailure failure = failure("Qwen/Qwen3.5-4B", 2 * GIB, "--max-model-len", "8192", "--max-num-seqs", "256");
        assertThat(failure.message())
                .contains("max_num_seqs (256) exceeds available Mamba cache blocks (")
                .contains("--max-num-seqs");
        String room = failure.message().replaceAll("(?s).*cache blocks \\((\\d+)\\).*", "$1");
        assertThat(plan("Qwen/Qwen3.5-4B", 2 * GIB, "--max-model-len", "8192", "--max-num-seqs", room)
                        .failure())
                .isEmpty();
    }

    @Test
    void stepSmallerThanItsSequences() {
        assertThatThrownBy(() ->
                        plan("Qwen/Qwen3-8B", 8 * GIB, "--max-num-batched-tokens", "128", "--max-num-seqs", "256"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("128")
                .hasMessageContaining("256");
    }

    @Test
    void stepSmallerThanTheLengthWithoutChunks() {
        assertThatThrownBy(() -> plan(
                        "Qwen/Qwen3-8B",
                        8 * GIB,
                        "--no-enable-chunked-prefill",
                        "--max-model-len",
                        "8192",
                        "--max-num-batched-tokens",
                        "4096"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("chunked prefill");
    }

    private BootFailure failure(String model, long poolBytes, String... flags) {
        return plan(model, poolBytes, flags).failure().orElseThrow();
    }

    private BootPlan plan(String model, long poolBytes, String... flags) {
        return engine.plan(new Scenario(
                ModelCatalog.packaged().find(model).model(),
                AcceleratorTable.packaged().find("RTX 3090"),
                1,
                Optional.of("0.32.0"),
                List.of(flags),
                Map.of(),
                OptionalLong.of(poolBytes)));
    }
}
