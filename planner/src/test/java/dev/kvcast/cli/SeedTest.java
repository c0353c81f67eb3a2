package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.cli.CommandLineTool.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The public speed-test matrix that the project began with: Agents-A1-4B on one RTX 3090, vLLM 0.32.0. Its page shows 48
 * decode cells of which 27 were not run because they exceed the KV cache.
 */
class SeedTest {

    private static final List<String> COMMAND = List.of(
            "vllm",
            "serve",
            "InternScience/Agents-A1-4B",
            "--max-model-len",
            "262144",
            "--gpu-memory-utilization",
            "0.94",
            "--max-num-seqs",
            "128",
            "--enable-prefix-caching",
            "--trust-remote-code",
            "--language-model-only");

    private static final List<Long> CONTEXTS = List.of(0L, 16384L, 32768L, 65536L, 131072L, 253952L);

    /** Cells of each row that ran, from one request doubling up to 128. */
    private static final List<Integer> MEASURED = List.of(6, 5, 4, 3, 2, 1);

    private static Map<String, Object> matrix() {
        List<String> args = new ArrayList<>(List.of(
                "matrix",
                "--gpu",
                "RTX 3090",
                "--engine-version",
                "0.32.0",
                "--contexts",
                "0,16K,32K,64K,128K,248K",
                "--concurrency",
                "1,2,4,8,16,32,64,128",
                "--output-tokens",
                "8192",
                "--format",
                "json",
                "--"));
        args.addAll(COMMAND);
        Run run = CommandLineTool.run(args.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        return run.json();
    }

    private static long number(Map<?, ?> json, String field) {
        return ((Number) json.get(field)).longValue();
    }

    @Test
    void theBlocksAreTheEnginesOwn() {
        Map<?, ?> kv = (Map<?, ?>) matrix().get("kv");
        assertThat(number(kv, "block_size")).isEqualTo(528);
        assertThat(number(kv, "bytes_per_block")).isEqualTo(17_301_504);
        assertThat(number(kv, "blocks_per_request")).isEqualTo(503);
        assertThat(number(kv, "bytes_per_token")).isEqualTo(32_768);
    }

    /** Which cells ran says only that the pool had between 745 and 992 blocks. */
    @Test
    void thePoolAndItsIntervalLieWhereThePageSays() {
        Map<?, ?> kv = (Map<?, ?>) matrix().get("kv");
        assertThat(number(kv, "num_blocks_low")).isBetween(745L, number(kv, "num_blocks"));
        assertThat(number(kv, "num_blocks_high")).isBetween(number(kv, "num_blocks"), 992L);
    }

    @Test
    void everyVerdictAgreesWithThePage() {
        List<?> cells = (List<?>) matrix().get("cells");
        assertThat(cells).hasSize(48);
        int over = 0;
        for (Object entry : cells) {
            Map<?, ?> cell = (Map<?, ?>) entry;
            int row = CONTEXTS.indexOf(number(cell, "context"));
            boolean ran = number(cell, "concurrency") <= 1L << (MEASURED.get(row) - 1);
            assertThat(cell.get("verdict").equals("over")).as(cell.toString()).isEqualTo(!ran);
            over += ran ? 0 : 1;
        }
        assertThat(over).isEqualTo(27);
    }

    /** It ran because outputs stay short in 30 seconds; 16 requests of 24,576 tokens need more than the pool. */
    @Test
    void sixteenRequestsAtSixteenThousandTokensAreTight() {
        List<?> cells = (List<?>) matrix().get("cells");
        assertThat(cells).anySatisfy(entry -> {
            Map<?, ?> cell = (Map<?, ?>) entry;
            assertThat(number(cell, "context")).isEqualTo(16384);
            assertThat(number(cell, "concurrency")).isEqualTo(16);
            assertThat(cell.get("verdict")).isEqualTo("tight");
            assertThat(number(cell, "needed_blocks")).isEqualTo(848);
        });
    }

    @Test
    void fitSaysThatItStarts() {
        List<String> args = new ArrayList<>(List.of("fit", "--gpu", "3090 24GB", "--engine-version", "0.32.0", "--"));
        args.addAll(COMMAND);
        Run run = CommandLineTool.run(args.toArray(String[]::new));
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("InternScience/Agents-A1-4B on RTX 3090, vllm 0.32.0: fits", "blocks of 528 tokens");
    }
}
