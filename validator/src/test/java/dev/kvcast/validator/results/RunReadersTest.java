package dev.kvcast.validator.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.model.InputException;
import dev.kvcast.report.Units;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunReadersTest {

    /** cell, status, tok/s, per request, TTFT ms, ITL ms, active requests. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "own.json | prefill 8192 x 1 valid 11700.0 - 700.0 - -",
                "own.json | decode 0 x 8 valid 610.0 76.4 190.0 13.1 8.0",
                "own.json | decode 16384 x 1 failed - - - - -",
                "own.json | decode 16384 x 8 over_capacity - - - - -",
                "own.json | mixed 512 x 4 valid 250.0 - - 13.0 3.6",
                "llm-inference-bench.json | prefill 8192 x 1 valid 11585.0 - 700.0 - -",
                "llm-inference-bench.json | decode 0 x 4 valid 300.0 75.2 120.0 13.3 4.0",
                "llm-inference-bench.json | decode 8192 x 4 failed 12.0 71.4 200.0 14.0 4.0",
                "llm-inference-bench.json | decode 8192 x 8 over_capacity - - - - -",
                "llm-inference-bench-march-2026.json | decode 0 x 1 valid 80.0 80.0 50.0 - -",
                "vllm-bench-serve.json | mixed 1024 x 16 valid 869.6 55.6 120.0 18.0 16.0",
                "vllm-bench-serve.json | mixed 1024 x 1 valid 80.5 83.3 120.0 12.0 1.0",
                "vllm-bench-sweep-summary.json | mixed 1024 x 8 valid 555.0 71.4 120.0 14.0 8.0",
                "sglang-bench-serving.jsonl | mixed 1024 x 32 valid 1437.2 45.5 90.0 22.0 32.0",
                "guidellm.json | mixed 512 x 16 valid 917.6 62.5 200.0 16.0 16.0",
                "aiperf.json | mixed 550 x 10 valid 648.3 66.7 100.0 15.0 10.0",
                "genai-perf.json | mixed 200 x 2 valid 202.0 105.3 50.0 9.5 2.0",
                "aiperf-records.jsonl | mixed 300 x 2 valid 75.0 52.4 100.0 19.1 1.5",
                "inference-perf.json | mixed 500 x 3 valid 200.0 71.4 100.0 14.0 3.0",
                "llama-benchy.json | prefill 2048 x 1 valid 2000.0 - 1024.0 - -",
                "llama-benchy.json | prefill 8192 x 1 valid 1900.0 - 4311.6 - -",
                "llama-benchy.json | decode 10240 x 1 valid 46.0 46.0 1137.8 21.7 1.0",
                "llama-benchy.json | mixed 2048 x 4 valid 150.0 37.5 975.2 26.7 -",
                "inferencex.json | mixed 1024 x 64 valid 3100.0 50.0 180.0 20.0 -",
                "llama-bench.json | prefill 4096 x 1 valid 3800.0 - 1077.9 - -",
                "llama-bench.json | decode 4096 x 1 valid 118.0 118.0 - 8.5 1.0",
                "llama-bench.jsonl | decode 0 x 1 valid 130.0 130.0 - 7.7 1.0",
                "llama-bench-old.json | decode 0 x 1 valid 130.0 130.0 - 7.7 1.0",
                "llama-batched-bench.jsonl | prefill 1024 x 4 valid 3950.0 - 1037.0 - -",
                "llama-batched-bench.jsonl | decode 1024 x 4 valid 400.0 100.0 - 10.0 4.0",
                "llama-batched-bench-shared.jsonl | decode 1024 x 4 valid 420.0 105.0 - 9.5 4.0",
                "/data/runs/agents-a1-4b-rtx-3090.json | prefill 131072 x 1 valid 6205.0 - 20780.0 - -",
                "/data/runs/agents-a1-4b-rtx-3090.json | decode 16384 x 16 valid 846.9 52.8 417.0 18.9 16.0",
                "/data/runs/agents-a1-4b-rtx-3090.json | decode 253952 x 2 over_capacity - - - - -",
            })
    void cellsAreRead(String name, String expected) {
        List<String> cells = new ArrayList<>();
        for (MeasuredCell cell : Samples.read(name).cells()) {
            cells.add(cell.label() + " " + cell.status().label() + " "
                    + text(cell.speed().tokensPerSecond()) + " "
                    + text(cell.speed().perRequestTokensPerSecond()) + " "
                    + text(cell.speed().ttftMillis()) + " " + text(cell.speed().itlMillis()) + " "
                    + text(cell.sample().activeRequests()));
        }
        assertThat(cells).contains(expected);
    }

    private static String text(OptionalDouble value) {
        return value.isPresent() ? Units.fixed(value.getAsDouble(), 1) : "-";
    }

    /** tool, cells, model, GPU, engine and version, prompt sharing, notes. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "own.json | kvcast 0.1.0 | 6 | InternScience/Agents-A1-4B | RTX 3090 | vllm 0.32.0 | distinct | 0",
                "llm-inference-bench.json | llm-inference-bench 0.6.1 | 6 | Example/Model-4B | - | vllm - | shared | 1",
                "vllm-bench-serve.json | vllm bench serve | 3 | Example/Model-8B | RTX 4090 | vllm 0.19.0 | unknown | 0",
                "vllm-bench-sweep-summary.json | vllm bench serve | 1 | Example/Model-8B | RTX 4090 | vllm 0.19.0 | unknown | 1",
                "sglang-bench-serving.jsonl | sglang bench_serving | 2 | - | - | sglang - | distinct | 0",
                "guidellm.json | guidellm | 2 | Example/Model-8B | - | - - | unknown | 0",
                "aiperf.json | aiperf | 1 | Example/Model-8B | - | - - | unknown | 0",
                "aiperf-records.jsonl | aiperf | 1 | - | - | - - | unknown | 1",
                "inference-perf.json | inference-perf | 1 | - | - | - - | unknown | 0",
                "llama-benchy.json | llama-benchy 0.4.0 | 5 | Example/Model-20B | - | - - | distinct | 1",
                "inferencex.json | inferencex | 2 | Example/Model-70B | h200 | vllm - | distinct | 0",
                "llama-bench.json | llama-bench | 4 | models/example-8b-Q4_K_M.gguf | NVIDIA GeForce RTX 3090 | llama.cpp b6000 | distinct | 2",
                "llama-batched-bench-shared.jsonl | llama-batched-bench | 3 | - | - | llama.cpp - | shared | 0",
                "/data/runs/agents-a1-4b-rtx-3090.json | llm-inference-bench 0.8.0 | 53 | InternScience/Agents-A1-4B | RTX 3090 | vllm 0.32.0 | shared | 0",
            })
    void headsAreRead(
            String name, String tool, int cells, String model, String gpu, String engine, String sharing, int notes) {
        MeasuredRun run = Samples.read(name);
        assertThat(run.tool()).isEqualTo(tool);
        assertThat(run.cells()).hasSize(cells);
        assertThat(run.model().orElse("-")).isEqualTo(model);
        assertThat(run.hardware().gpu().orElse("-")).isEqualTo(gpu);
        assertThat(run.engine().name().orElse("-") + " "
                        + run.engine().version().orElse("-"))
                .isEqualTo(engine);
        assertThat(run.settings().sharing().label()).isEqualTo(sharing);
        assertThat(run.notes()).hasSize(notes);
    }

    @Test
    void noSampleShowsAProblem() {
        for (String name : Samples.NAMES) {
            assertThat(RunChecks.problems(Samples.read(name))).as(name).isEmpty();
        }
        assertThat(RunChecks.problems(Samples.read(Samples.SEED))).isEmpty();
    }

    @Test
    void theSeedKeepsWhatItSaysOfItself() {
        MeasuredRun seed = Samples.read(Samples.SEED);
        assertThat(seed.hardware().details())
                .containsEntry("power_limit_w", 420L)
                .containsEntry("ram_gb", 32L);
        assertThat(seed.engine().details()).containsEntry("quantization", "BF16");
        assertThat(seed.settings().maxOutputTokens()).hasValue(8192);
        assertThat(seed.settings().measureSeconds()).hasValue(30);
        assertThat(seed.settings().concurrencies()).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L);
        assertThat(seed.launchCommand().orElseThrow()).startsWith("vllm serve InternScience/Agents-A1-4B ");
    }

    /** file | replaced | replacement | message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "own.json | \"total_tok_s\": 11700.0, | | run.json: cells[0] has no \"total_tok_s\"",
                "own.json | \"phase\": \"prefill\" | \"phase\": \"warm-up\" | run.json: cells[0]: \"phase\" is warm-up; expected prefill, decode or mixed",
                "own.json | \"status\": \"failed\" | \"status\": \"bad\" | run.json: cells[3]: \"status\" is bad; expected valid, over_capacity or failed",
                "own.json | \"context_tokens\": 8192 | \"context_tokens\": -1 | run.json: cells[0]: \"context_tokens\" is -1.0; expected a whole number of 0 or more",
                "own.json | \"context_tokens\": 8192 | \"context_tokens\": \"8K\" | run.json: cells[0]: \"context_tokens\" is 8K; expected a number",
                "own.json | \"concurrency\": 8 | \"concurrency\": 0 | a cell has concurrency 0; expected 1 or more",
                "own.json | \"gpu\": \"RTX 3090\" | \"gpu\": [1] | run.json: hardware: \"gpu\" is [1]; expected text",
                "llm-inference-bench.json | \"aggregate_tps\": 80.0, | | run.json: results[0] has no \"aggregate_tps\"",
                "llm-inference-bench.json | \"tok_per_sec\": 11585.0, | | run.json: prefill.8192 has no \"tok_per_sec\"",
                "vllm-bench-sweep-summary.json | \"duration\" | \"elapsed\" | run.json has no \"duration\"",
                "vllm-bench-sweep-summary.json | \"request_rate\": \"inf\" | \"request_rate\": \"fast\" | run.json: \"request_rate\" is fast; expected a number or inf",
                "sglang-bench-serving.jsonl | \"completed\" | \"done\" | run.json has no \"completed\"",
                "guidellm.json | \"request_latency\" | \"latency\" | run.json: benchmarks[0].metrics has no \"request_latency\"",
                "guidellm.json | \"start_time\" | \"begin\" | run.json: benchmarks[0] has no \"start_time\"",
                "aiperf.json | \"was_cancelled\": false | \"was_cancelled\": true | run.json is of a run that was cancelled; give a complete one",
                "aiperf.json | \"unit\": \"ms\" | \"unit\": \"ticks\" | run.json: request_latency: \"unit\" is ticks; expected ns, us, ms or s",
                "genai-perf.json | \"request_count\" | \"requests_made\" | run.json has no \"request_count\"",
                "aiperf-records.jsonl | \"request_latency\" | \"latency\" | run.json record 2: metrics has no \"request_latency\"",
                "aiperf-records.jsonl | \"benchmark_phase\": \"profiling\" | \"benchmark_phase\": \"warmup\" | run.json has no request that completed",
                "inference-perf.json | \"prompt_len\" | \"prompt_size\" | run.json: successes has no \"prompt_len\"",
                "inferencex.json | \"disagg\": false | \"disagg\": true | run.json is of disaggregated prefill; give aggregated results",
                "inferencex.json | \"tp\": 8 | \"tp\": \"all\" | run.json: \"tp\" is all; expected a number",
                "llama-bench.jsonl | \"n_gen\": 128 | \"n_gen\": -128 | run.json record 3: \"n_gen\" is -128.0; expected a whole number of 0 or more",
                "llama-benchy.json | \"context_size\" | \"depth\" | run.json: benchmarks[0] has no \"context_size\"",
                "llama-batched-bench.jsonl | \"speed_pp\" | \"pp_speed\" | run.json has no \"speed_pp\"",
            })
    void whatIsMissingIsNamed(String name, String replaced, String replacement, String message) {
        String text = Samples.text(name);
        assertThat(text).contains(replaced);
        String damaged = text.replace(replaced, replacement == null ? "" : replacement);
        assertThatThrownBy(() -> Samples.parse(damaged))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    /** Whole files that are no run. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "` `                              | run.json is empty; give a tool's JSON or JSONL results",
                "[]                               | run.json is empty; give a tool's JSON or JSONL results",
                "3                                | run.json holds no JSON object; give a tool's JSON or JSONL results",
                "[[{}]]                           | run.json holds no JSON object; give a tool's JSON or JSONL results",
                "phase,context                    | run.json is not valid JSON at line 1, column 1; give a tool's JSON or JSONL results, complete",
                "{\"tool\":\"x\",\"cells\":[      | run.json is not valid JSON at line 1, column 22; give a tool's JSON or JSONL results, complete",
                "{\"tool\":\"x\",\"cells\":[]}    | run.json (kvcast) holds no measured cell",
                "{\"tool\":\"x\",\"cells\":[1]}   | run.json: \"cells[0]\" is 1; expected an object",
                "{\"tool\":\"x\",\"cells\":{}}    | run.json: \"cells\" is {}; expected a list of objects",
                "{\"schema\":1,\"kv\":{},\"cells\":[]} | run.json is a prediction of kvcast; give a measured run",
            })
    void whatIsNoRunIsRefused(String text, String message) {
        assertThatThrownBy(() -> Samples.parse(text))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void anUnknownFormIsAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> Samples.parse("{\"a\":1}"))
                .hasMessageStartingWith("run.json is no result file of a known tool; expected one of kvcast, ")
                .hasMessageContaining("llama-bench");
    }

    @Test
    void severalModelsInAFileAreRefused() {
        String line = Samples.text("llama-bench.jsonl");
        assertThatThrownBy(() -> Samples.parse(line + line.replace("example-8b", "other-8b")))
                .hasMessage("run.json record 4 has another model than the records before "
                        + "(models/other-8b-Q4_K_M.gguf, not models/example-8b-Q4_K_M.gguf); give one file for each");
    }

    @Test
    void contentDecidesNotTheName(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("guidellm.txt");
        Files.write(file, Samples.bytes("llama-bench.json"));
        assertThat(RunReaders.read(file).tool()).isEqualTo("llama-bench");
        assertThatThrownBy(() -> RunReaders.read(folder))
                .hasMessageEndingWith("is a folder; give the result file itself");
        assertThatThrownBy(() -> RunReaders.read(folder.resolve("none.json"))).hasMessageEndingWith("does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"generated_texts", "itls", "requests", "event_log"})
    void logsInsideAFileCostNoMemory(String field) {
        String many = "[" + "1,".repeat(JsonTree.MOST_VALUES) + "1]";
        assertThat(Samples.parse("{\"" + field + "\":" + many + ","
                                + Samples.text("own.json").substring(1))
                        .cells())
                .hasSize(6);
        assertThatThrownBy(() -> Samples.parse(
                        "{\"x\":" + many + "," + Samples.text("own.json").substring(1)))
                .hasMessageContaining("holds more than 1000000 values");
    }
}
