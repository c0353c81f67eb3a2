package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.cli.CommandLineTool.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code simulate} promises to scripts, and what it refuses. */
class SimulateVerbTest {

    private static Run simulate(String... options) {
        List<String> words = new ArrayList<>(List.of("simulate", "--gpu", "RTX 3090"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "vllm", "serve", "Qwen/Qwen3-8B", "--max-model-len", "8192"));
        return CommandLineTool.run(words.toArray(String[]::new));
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        String[] options = {
            "--format", "json", "--requests", "40", "--rate", "3", "--input", "lognormal:500,300", "--output", "40"
        };
        Run first = simulate(options);
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(simulate(options).out()).isEqualTo(first.out());
        assertThat(first.json()).containsEntry("requests", 40).containsEntry("completed", 40);
        assertThat(first.json()).containsKeys("ttft_ms", "itl_ms", "tpot_ms", "e2e_ms", "steps", "kv_usage_peak");
    }

    @Test
    void leapingChangesNothing() {
        String[] options = {"--format", "json", "--requests", "40", "--rate", "3", "--input", "600", "--output", "60"};
        List<String> single = new ArrayList<>(List.of(options));
        single.add("--step-by-step");
        Map<String, Object> leaping = simulate(options).json();
        Map<String, Object> stepping = simulate(single.toArray(String[]::new)).json();
        assertThat(leaping.get("steps")).isEqualTo(stepping.get("steps"));
        assertThat(leaping.get("completed")).isEqualTo(stepping.get("completed"));
    }

    @Test
    void questionsOfSharedPrefixComeAgain() {
        Run run = simulate(
                "--format",
                "json",
                "--workload",
                "shared-prefix",
                "--system-prompt",
                "100",
                "--question",
                "400",
                "--output",
                "20",
                "--prompts",
                "2",
                "--users",
                "2",
                "--rate",
                "2",
                "--requests",
                "100");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat((Double) run.json().get("prefix_hit_rate")).isGreaterThan(0.9);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "line 3 | arrival_s,input_tokens,output_tokens;0,100,5;1,-3,5",
                "columns a,b | a,b;1,2",
                "line 2 | arrival_s,input_tokens,output_tokens;x,100,5",
            })
    void tracesThatAreWrong(String part, String lines, @TempDir Path folder) throws IOException {
        Path trace = folder.resolve("trace.csv");
        Files.writeString(trace, lines.replace(';', '\n'));
        Run run = simulate("--trace", trace.toString());
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(part.strip()).doesNotContain("Exception");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void requestsLongerThanTheServerTakesAreCounted(@TempDir Path folder) throws IOException {
        Path trace = folder.resolve("trace.csv");
        Files.writeString(trace, "arrival_s,input_tokens,output_tokens\n0,100,5\n0.5,9000,5\n");
        Map<String, Object> result =
                simulate("--format", "json", "--trace", trace.toString()).json();
        assertThat(result).containsEntry("completed", 1).containsEntry("rejected", 1);
    }
}
