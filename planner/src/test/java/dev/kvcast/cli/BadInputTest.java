package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.cli.CommandLineTool.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything a person or script gets wrong: one line that names the input and the mend, and the contract's exit code. */
class BadInputTest {

    private static final String MODEL = "Qwen/Qwen3-8B";

    private static void assertOneLine(Run run, int code, String part) {
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().strip().lines().filter(line -> !line.startsWith("try '")))
                .hasSize(1);
        assertThat(run.err()).startsWith("kvcast: ").contains(part).doesNotContain("Exception", "\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | above 0 and at most 1 | --gpu-memory-utilization 0",
                "2 | above 0 and at most 1 | --gpu-memory-utilization 1.5",
                "2 | above 0 and at most 1 | --gpu-memory-utilization NaN",
                "2 | above 0 and at most 1 | --gpu-memory-utilization -0.5",
                "2 | above the 40960 | --max-model-len 262144",
                "2 | --max-model-len | --max-model-len 0",
                "2 | --max-model-len | --max-model-len 99999999999999999999",
                "2 | not divisible | --tensor-parallel-size 3",
                "2 | need 16 GPUs | --tensor-parallel-size 16",
                "3 | --kv-cache-dtype | --kv-cache-dtype fp9",
                "3 | --quantization | --quantization wat",
                "2 | max_num_seqs | --max-num-batched-tokens 64 --max-num-seqs 128",
                "2 | --max-num-seqs | --max-num-seqs -1",
                "2 | --block-size | --block-size zero",
                "2 | speculative | --speculative-config {broken",
            })
    void launchFlagsThatTheEngineWouldRefuse(int code, String part, String flags) {
        List<String> args = new ArrayList<>(List.of("fit", "--gpu", "RTX 3090x8", "--", "vllm", "serve", MODEL));
        args.addAll(Arrays.asList(flags.split(" ", -1)));
        assertOneLine(CommandLineTool.run(args.toArray(String[]::new)), code, part.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | unbalanced | fit;--gpu;3090;--;vllm serve 'Qwen/Qwen3-8B",
                "3 | not in the catalogue | fit;--gpu;RTX 9999;--model;Qwen/Qwen3-8B",
                "3 | is not known | fit;--offline;--gpu;3090;--model;nobody/nothing-7B",
                "2 | no model given | fit;--gpu;3090",
                "2 | --contexts | matrix;--gpu;3090;--contexts;abc;--model;Qwen/Qwen3-8B",
                "2 | concurrency | matrix;--gpu;3090;--concurrency;0;--model;Qwen/Qwen3-8B",
                "2 | output | matrix;--gpu;3090;--output-tokens;0;--model;Qwen/Qwen3-8B",
                "2 | expected a positive number | fit;--gpu;3090;--gpu-memory-bytes;0;--model;Qwen/Qwen3-8B",
                "2 | --gpu-bandwidth | fit;--gpu;3090;--gpu-bandwidth;0;--model;Qwen/Qwen3-8B",
                "2 | --gpu-bandwidth | matrix;--gpu;3090;--gpu-bandwidth;1e-300;--model;Qwen/Qwen3-8B",
                "2 | --gpu-flops | matrix;--gpu;3090;--gpu-flops;1e-300;--model;Qwen/Qwen3-8B",
                "3 | is not modelled | fit;--gpu;3090;--engine;tgi;--model;Qwen/Qwen3-8B",
                "2 | cannot be read | fit;--batch;/nonexistent/file.jsonl",
                "2 | --skip-rule | matrix;--gpu;3090;--skip-rule;mine;--model;Qwen/Qwen3-8B",
                "2 | --prune | matrix;--gpu;3090;--prune;mine;--model;Qwen/Qwen3-8B",
                "2 | mean 'matrix' | matrx;--gpu;3090",
            })
    void commandLines(int code, String part, String words) {
        Run run = CommandLineTool.run(words.split(";", -1));
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(part.strip()).doesNotContain("Exception", "\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | is empty | ",
                "2 | config.json | {\"architectures\": [\"LlamaForCausalLM\"",
                "2 | config.json | [1, 2]",
                "3 | NoSuchForCausalLM | {\"architectures\":[\"NoSuchForCausalLM\"],\"hidden_size\":64}",
                "2 | hidden_size | {\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":-4096,\"num_hidden_layers\":2,"
                        + "\"num_attention_heads\":32,\"intermediate_size\":64,\"vocab_size\":1000}",
                "2 | num_hidden_layers | {\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":64,"
                        + "\"num_hidden_layers\":1000000000000000000,\"num_attention_heads\":2,\"intermediate_size\":64,"
                        + "\"vocab_size\":1000}",
                "2 | not a multiple | {\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":96,\"num_hidden_layers\":2,"
                        + "\"num_attention_heads\":6,\"num_key_value_heads\":4,\"intermediate_size\":64,\"vocab_size\":1000}",
                "2 | at most 10000 | {\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":64,"
                        + "\"num_hidden_layers\":2147483647,\"num_attention_heads\":2,\"intermediate_size\":64,"
                        + "\"vocab_size\":1000}",
                "2 | weight tensors | {\"architectures\":[\"Qwen2_5_VLForConditionalGeneration\"],\"model_type\":\"qwen2_5_vl\",\"hidden_size\":64,"
                        + "\"num_hidden_layers\":2,\"num_attention_heads\":2,\"intermediate_size\":64,\"vocab_size\":1000,"
                        + "\"vision_config\":{\"depth\":2147483647,\"hidden_size\":64,\"num_heads\":2,"
                        + "\"intermediate_size\":64,\"out_hidden_size\":64}}",
                "2 | layer_types | {\"architectures\":[\"Qwen3ForCausalLM\"],\"hidden_size\":64,\"num_hidden_layers\":4,"
                        + "\"num_attention_heads\":2,\"num_key_value_heads\":2,\"head_dim\":32,\"intermediate_size\":64,"
                        + "\"vocab_size\":1000,\"layer_types\":[\"full_attention\"]}",
            })
    void configsThatCannotBeBelieved(int code, String part, String json, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("config.json"), json == null ? "" : json);
        assertOneLine(fit(folder), code, part.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--burst is 0 | --burst;0",
                "--burst is | --burst;9223372036854775807",
                "--frontend-ms is -1 | --frontend-ms=-1",
                "--frontend-ms is | --frontend-ms=1e300",
                "--max-time is 0 | --max-time;0",
                "--max-time is -1 | --max-time=-1",
                "expected at most | --pool-blocks;9223372036854775807",
                "gamma variation | --arrivals;gamma:1e-300",
            })
    void workloadsThatCannotBe(String part, String words) {
        List<String> args = new ArrayList<>(
                List.of("simulate", "--offline", "--gpu", "RTX 4090", "--model", "Qwen/Qwen3-0.6B", "--rate", "5"));
        args.addAll(List.of("--input", "100", "--output", "20", "--requests", "20"));
        args.addAll(Arrays.asList(words.split(";", -1)));
        assertOneLine(CommandLineTool.run(args.toArray(String[]::new)), ExitCode.USAGE, part.strip());
    }

    @Test
    void aFolderNamedWithControlCharactersReachesNoTerminalAndNoScript(@TempDir Path folder) throws IOException {
        Path model = Files.createDirectory(folder.resolve("a\u001b[31m\ntouch owned\n"));
        Files.writeString(model.resolve("config.json"), """
                {"architectures":["LlamaForCausalLM"],"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":2,
                "intermediate_size":64,"vocab_size":1000,"max_position_embeddings":4096}""");
        Run run =
                CommandLineTool.run("matrix", "--gpu", "RTX 3090", "--prune", "guidellm", "--model", model.toString());
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).doesNotContain("\u001b", "\ntouch");
        assertThat(run.err()).doesNotContain("\u001b", "\ntouch");
    }

    @Test
    void aBatchGoesOnAfterNullAndAfterBytesThatAreNotText(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("batch.jsonl");
        Files.write(file, "null\n{\"id\":\"\u00ff\"}\n{\"id\":\"last\"}\n".getBytes(StandardCharsets.ISO_8859_1));
        Run run = CommandLineTool.run("fit", "--offline", "--batch", file.toString());
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out().lines()).hasSize(3).allMatch(line -> line.contains("\"bad_input\""));
        assertThat(run.out()).contains("\"id\":\"last\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "num_hidden_layers is not applied | --hf-overrides {\"num_hidden_layers\":2}",
                "reads weights from host memory | --cpu-offload-gb 4",
                "not as --quantization torchao does | --quantization torchao",
                "--dtype float32 takes twice | --dtype float32",
            })
    void flagsThatTheNumbersLeaveOutAreNamed(String part, String flags) {
        List<String> args = new ArrayList<>(List.of("fit", "--gpu", "RTX 3090x2", "--", "vllm", "serve", MODEL));
        args.addAll(Arrays.asList(flags.split(" ", -1)));
        assertThat(CommandLineTool.run(args.toArray(String[]::new)).err()).contains(part.strip());
    }

    @Test
    void quantizingWhileLoadingShrinksTheWeights() {
        String stored = CommandLineTool.run("fit", "--gpu", "RTX 4090", "--", "vllm", "serve", MODEL)
                .out();
        String flagged = CommandLineTool.run(
                        "fit", "--gpu", "RTX 4090", "--", "vllm", "serve", MODEL, "--quantization", "fp8")
                .out();
        String chosen = CommandLineTool.run(
                        "fit", "--gpu", "RTX 4090", "--weights", "fp8", "--", "vllm", "serve", MODEL)
                .out();
        assertThat(flagged).isEqualTo(chosen).isNotEqualTo(stored);
    }

    private static Run fit(Path folder) {
        return CommandLineTool.run("fit", "--gpu", "RTX 3090", "--model", folder.toString());
    }

    @Test
    void wrongEncodingAndMissingFiles(@TempDir Path folder) throws IOException {
        assertOneLine(fit(folder), ExitCode.USAGE, "config.json");
        Files.write(
                folder.resolve("config.json"), "{\"architectures\": [\"é\"]}".getBytes(StandardCharsets.ISO_8859_1));
        assertOneLine(fit(folder), ExitCode.USAGE, "config.json");
    }

    @Test
    void jsonNestedWithoutEnd(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("config.json"), "{\"a\":".repeat(100_000));
        assertOneLine(fit(folder), ExitCode.USAGE, "config.json");
    }

    @Test
    void aBatchGoesOnAfterABadLine(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("batch.jsonl");
        Files.writeString(file, """
                {"id":"a","engine":"vllm","engine_version":"0.32.0","model":"Qwen/Qwen3-8B","gpu":"RTX 3090","args":["--max-model-len","8192"]}
                not json
                {"id":"b","model":"nobody/nothing","gpu":"RTX 3090"}
                {"id":"c","gpu":"RTX 3090"}

                {"id":"d","model":"Qwen/Qwen3-8B","gpu":"RTX 3090","kv_pool_bytes":4294967296,"args":["--max-model-len","8192"]}
                """);
        Run run = CommandLineTool.run("fit", "--offline", "--batch", file.toString());
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).contains("\"id\":\"a\"", "\"status\":\"ok\"");
        assertThat(lines.get(1)).contains("\"status\":\"error\"", "\"code\":\"bad_input\"");
        assertThat(lines.get(2)).contains("\"id\":\"b\"", "\"code\":\"unknown_model\"");
        assertThat(lines.get(3)).contains("\"id\":\"c\"", "\"code\":\"bad_input\"", "model");
        assertThat(lines.get(4))
                .contains("\"id\":\"d\"", "\"kv_pool_bytes\":4294967296", "\"kv_pool_bytes_low\":4294967296");
    }

    @Test
    void aContextBeyondTheModelIsOverWithItsReason() {
        Run run = CommandLineTool.run(
                "matrix",
                "--gpu",
                "RTX 3090",
                "--contexts",
                "64K",
                "--concurrency",
                "1",
                "--format",
                "json",
                "--model",
                MODEL,
                "--",
                "vllm",
                "serve",
                MODEL,
                "--max-model-len",
                "8192");
        Map<?, ?> cell = (Map<?, ?>) ((List<?>) run.json().get("cells")).get(0);
        assertThat(cell.get("verdict")).isEqualTo("over");
        assertThat(String.valueOf(cell.get("reason"))).contains("exceeds max_model_len 8192");
    }
}
