package dev.kvcast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.model.InputException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchLineTest {

    private static LaunchCommand read(String line) {
        return LaunchLine.parse(line);
    }

    @Test
    void readsTheSeedCommandUnderItsComment() {
        LaunchCommand command = read("""
                # Untuned: no flags beyond these
                vllm serve InternScience/Agents-A1-4B --max-model-len 262144 \\
                  --gpu-memory-utilization 0.94 --enable-prefix-caching
                """);

        assertThat(command.engine()).isEqualTo("vllm");
        assertThat(command.model()).contains("InternScience/Agents-A1-4B");
        assertThat(command.arguments())
                .containsExactly(
                        "--max-model-len", "262144", "--gpu-memory-utilization", "0.94", "--enable-prefix-caching");
    }

    @Test
    void readsWordsThatAShellAlreadySplit() {
        LaunchCommand command = LaunchLine.parse(List.of("vllm", "serve", "a/b", "--chat-template", "two words"));

        assertThat(command.arguments()).containsExactly("--chat-template", "two words");
    }

    @Test
    void readsOneQuotedWordAsShellText() {
        assertThat(LaunchLine.parse(List.of("vllm serve a/b -tp 2")).arguments())
                .containsExactly("-tp", "2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'{\"a\": 1}'|{\"a\": 1}",
                "\"{\\\"a\\\": 1}\"|{\"a\": 1}",
                "{\"a\": {\"b\": [1, 2]}}|{\"a\": {\"b\": [1, 2]}}",
                "'don'\\''t'|don't",
                "\"$UNSET\"|$UNSET",
                "${UNSET:-32768}|32768",
                "a\\ b|a b",
                "'#not a comment'|#not a comment",
                "a#b|a#b",
                "$(nproc --all)|$(nproc --all)",
                "<my model>|my model",
                "\"tab\\tstays\"|tab\\tstays",
            })
    void unquotesLikeAShell(String written, String word) {
        assertThat(read("vllm serve a/b --x " + written + " --end").arguments()).containsExactly("--x", word, "--end");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vllm serve a/b -tp 2 > log 2>&1 &",
                "vllm serve a/b -tp 2 2>&1 | tee log",
                "cd /srv && exec vllm serve a/b -tp 2",
                "nohup vllm serve a/b -tp 2 &> out.txt &",
                "sudo -E env FOO=1 vllm serve a/b -tp 2",
                "uv run --with vllm vllm serve a/b -tp 2",
                "numactl --cpunodebind=0 --membind=0 vllm serve a/b -tp 2",
                "timeout 600 vllm serve a/b -tp 2",
                "taskset -c 0-7 vllm serve a/b -tp 2",
                "bash -lc \"vllm serve a/b -tp 2\"",
                "python3 -u -m vllm.entrypoints.openai.api_server --model a/b -tp 2",
                "python -m vllm.entrypoints.openai.api_server --model=a/b -tp 2",
                "/opt/venv/bin/vllm serve a/b -tp 2",
                "conda run -n llm --no-capture-output vllm serve a/b -tp 2",
                "vllm serve a/b ^\r\n -tp 2",
                "vllm serve a/b \\\r\n -tp 2",
                "vllm serve a/b \\ -tp 2",
                "M=a/b; export N=2\nvllm serve \"$M\" -tp ${N}",
                "docker run --gpus all -p 8000:8000 -v ~/.cache:/root --ipc=host vllm/vllm-openai a/b -tp 2",
                "docker run --rm -itd -p8000:8000 vllm/vllm-openai:latest --model a/b -tp 2",
                "podman run --device nvidia.com/gpu=all docker.io/vllm/vllm-openai:v0.32.0 --model a/b -tp 2",
                "docker run --entrypoint vllm my/vllm:1 serve a/b -tp 2",
                "docker run vllm/vllm-openai vllm serve a/b -tp 2",
                "docker run my/image python3 -m vllm.entrypoints.openai.api_server --model a/b -tp 2",
                "command: --model a/b -tp 2",
                "command: [\"--model\", \"a/b\", \"-tp\", \"2\"]",
                "command: >\n  --model a/b\n  -tp 2",
                "- --model\n- a/b\n- -tp\n- \"2\"",
                "# two GPUs are enough. vllm serve a/b -tp 2",
            })
    void findsTheEngineBehindWhateverStandsAroundIt(String line) {
        LaunchCommand command = read(line);

        assertThat(command.engine()).isEqualTo("vllm");
        assertThat(command.model()).contains("a/b");
        assertThat(command.arguments()).containsExactly("-tp", "2");
    }

    @Test
    void findsAModelBehindFlags() {
        assertThat(read("vllm serve --port 8000 --enforce-eager a/b").model()).contains("a/b");
        assertThat(read("vllm serve -tp 2 a/b --port 8000").model()).contains("a/b");
    }

    @Test
    void readsContainersImagesAndGpus() {
        LaunchCommand command = read("docker run --gpus '\"device=0,1\"' -e HF_TOKEN=hf_x --env=VLLM_USE_V1=1"
                + " vllm/vllm-openai:v0.32.0-x86_64 --model a/b");

        assertThat(command.version()).contains("0.32.0");
        assertThat(command.gpus()).contains(2);
        assertThat(command.environment()).containsEntry("VLLM_USE_V1", "1").doesNotContainKey("HF_TOKEN");
        assertThat(read("CUDA_VISIBLE_DEVICES=0,1,2 vllm serve a/b").gpus()).contains(3);
        assertThat(read("docker run lmsysorg/sglang:v0.5.10 python3 -m sglang.launch_server --model-path a/b")
                        .version())
                .contains("0.5.10");
        assertThat(read("docker run ghcr.io/ggml-org/llama.cpp:server-cuda-b9187 -m x.gguf")
                        .version())
                .contains("b9187");
    }

    @Test
    void keepsNoCredential() {
        LaunchCommand command =
                read("OPENAI_API_KEY=sk-1 DB_PASSWORD=p vllm serve a/b --api-key sk-2 --hf-token=hf_3 -tp 2");

        assertThat(command.environment()).isEmpty();
        assertThat(command.arguments()).containsExactly("-tp", "2");
        assertThat(command.toString()).doesNotContain("sk-", "hf_3");
    }

    @Test
    void readsOtherEngines() {
        assertThat(read("python -m sglang.launch_server --model-path a/b --tp 2")
                        .engine())
                .isEqualTo("sglang");
        assertThat(read("sglang serve --model-path a/b").model()).contains("a/b");
        assertThat(read("build/bin/llama-server -m x.gguf -c 4096").model()).contains("x.gguf");
        assertThat(read("llama-server -hf org/repo:Q4_K_M").model()).contains("org/repo:Q4_K_M");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "vllm serve a/b --x 'open|unbalanced single quote at character 20",
                "vllm serve \"a/b --x|unbalanced double quote at character 12",
                "vllm bench serve|does not serve a model",
                "echo hello|no engine command",
                "python exl3_bench.py --model x|no engine command",
                "trtllm-serve a/b|TensorRT-LLM",
                "~ ~|empty",
            })
    void refusesInOneLine(String line, String complaint) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(complaint)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void refusesNothingAtAll() {
        assertThatThrownBy(() -> LaunchLine.parse(List.of())).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> read("vllm serve " + "x".repeat(1 << 21)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("1 MiB");
    }
}
