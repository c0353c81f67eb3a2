package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.model.DataType;
import dev.kvcast.model.InputException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VllmOptionsReaderTest {

    private static VllmOptions read(String... words) {
        return VllmOptionsReader.read(List.of(words), Map.of());
    }

    private static VllmOptions readLine(String line) {
        return VllmOptionsReader.read(List.of(line.split(" ", -1)), Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "--max-model-len 32k, 32000",
        "--max-model-len 32K, 32768",
        "--max-model-len=1M, 1048576",
        "--max_model_len 25.6k, 25600",
        "--max-model 4096, 4096",
        "--max-model-len 262_144, 262144",
    })
    void readsLengths(String line, long tokens) {
        assertThat(readLine(line).model().length()).isEqualTo(new ModelOptions.Length.Tokens(tokens));
    }

    @Test
    void readsAutomaticLength() {
        assertThat(read("--max-model-len", "auto").model().length()).isInstanceOf(ModelOptions.Length.FromMemory.class);
        assertThat(read("--max-model-len", "-1").model().length()).isInstanceOf(ModelOptions.Length.FromMemory.class);
    }

    @Test
    void readsShortFormsAbbreviationsAndNegations() {
        VllmOptions options = read(
                "-tp=2",
                "-pp",
                "2",
                "-dcp",
                "2",
                "-ep",
                "-q",
                "awq",
                "--kv-cache-memory",
                "12G",
                "--no-enable-prefix-caching",
                "--no-async-scheduling",
                "-O0");

        assertThat(options.parallel().ranks().tensor()).isEqualTo(2);
        assertThat(options.parallel().ranks().pipeline()).isEqualTo(2);
        assertThat(options.parallel().ranks().decodeContext()).isEqualTo(2);
        assertThat(options.parallel().ranks().expertParallel()).isTrue();
        assertThat(options.model().quantization()).contains("awq");
        assertThat(options.memory().kvCacheBytes()).hasValue(12L << 30);
        assertThat(options.cache().prefixCaching()).contains(false);
        assertThat(options.scheduler().asyncScheduling()).contains(false);
        assertThat(options.compilation().level()).isZero();
        assertThat(options.warnings()).isEmpty();
    }

    @Test
    void readsJsonAndItsDottedForm() {
        VllmOptions json = read("--speculative-config", "{\"method\":\"qwen3_next_mtp\",\"num_speculative_tokens\":2}");
        VllmOptions dotted =
                read("--speculative-config.method", "mtp", "--speculative-config.num_speculative_tokens=2");

        assertThat(dotted.speculative()).isEqualTo(json.speculative()).isPresent();
        assertThat(read("-cc.cudagraph_mode=PIECEWISE", "--compilation-config.cudagraph_capture_sizes+", "1,2,4")
                        .compilation()
                        .captureSizes())
                .containsExactly(1, 2, 4);
        assertThat(read("--hf-overrides.text_config.max_position_embeddings", "1000000")
                        .model()
                        .hfOverrides())
                .isEqualTo(Map.of("text_config", Map.of("max_position_embeddings", 1_000_000L)));
        assertThat(read("-O", "{\"cudagraph_mode\":\"NONE\"}").compilation().graphMode())
                .contains(CompilationOptions.GraphMode.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "RedHatAI/Qwen3-8B-speculator.eagle3, eagle3",
        "yuhuili/EAGLE-LLaMA3-Instruct-8B, eagle",
        "z-lab/Qwen3.6-27B-DFlash, dflash",
        "google/gemma-4-31B-it-assistant, mtp",
        "Qwen/Qwen3-0.6B, draft_model",
        "[ngram], ngram",
    })
    void tellsTheMethodFromTheDraftModel(String model, String method) {
        VllmOptions options = read("--spec-model", model, "--spec-tokens", "4");

        assertThat(options.speculative().orElseThrow().method()).isEqualTo(method);
    }

    @Test
    void readsCacheAndMultimodalFlags() {
        VllmOptions options = read(
                "--kv-cache-dtype",
                "fp8_e5m2",
                "--kv-cache-dtype-skip-layers",
                "0",
                "sliding_window",
                "--mamba-cache-mode",
                "align",
                "--mamba-ssm-cache-dtype",
                "float16",
                "--prefix-cache-retention-interval",
                "None",
                "--limit-mm-per-prompt",
                "image=2,video=0",
                "--language-model-only");

        assertThat(options.cache().dtype()).isEqualTo("fp8_e5m2");
        assertThat(options.cache().skipLayers()).containsExactly("0", "sliding_window");
        assertThat(options.cache().state().mode()).contains(KvLayout.StateMode.ALIGN);
        assertThat(options.cache().state().recurrentDtype()).contains(DataType.FLOAT16);
        assertThat(options.cache().retention()).contains(new CacheOptions.Retention.Dense());
        assertThat(options.multimodal().limits()).isEqualTo(Map.of("image", 2, "video", 0));
        assertThat(options.multimodal().languageModelOnly()).isTrue();
    }

    @Test
    void readsEnvironmentSwitches() {
        VllmEnvironment switches = VllmOptionsReader.read(
                        List.of("VLLM_PP_LAYER_PARTITION=16,32"),
                        Map.of(
                                "VLLM_USE_V2_MODEL_RUNNER", "0",
                                "PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"))
                .environment();

        assertThat(switches.layerPartition()).containsExactly(16, 32);
        assertThat(switches.secondRunner()).contains(false);
        assertThat(switches.expandableSegments()).isTrue();
    }

    @Test
    void takesNotesWithAWarning() {
        VllmOptions options =
                read("prefix_caching=False", "DCP=2", "enable_chunked_prefill", "quantization=gptq", "hello");

        assertThat(options.cache().prefixCaching()).contains(false);
        assertThat(options.parallel().ranks().decodeContext()).isEqualTo(2);
        assertThat(options.scheduler().chunkedPrefill()).contains(true);
        assertThat(options.model().quantization()).contains("gptq");
        assertThat(options.warnings())
                .hasSize(5)
                .contains(
                        "'prefix_caching=False' was read as --no-enable-prefix-caching",
                        "'hello' is no flag and was ignored");
    }

    @Test
    void namesUnknownFlagsAndWhatTheyMightMean() {
        VllmOptions options = read("--gpu-memory-utilisation", "0.9", "--frobnicate", "-tp", "2");

        assertThat(options.parallel().ranks().tensor()).isEqualTo(2);
        assertThat(options.warnings())
                .containsExactly(
                        "unknown vLLM flag --gpu-memory-utilisation was ignored; did you mean --gpu-memory-utilization?",
                        "unknown vLLM flag --frobnicate was ignored");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--gpu-memory-utilization 0|above 0 and at most 1",
                "--gpu-memory-utilization 1.5|above 0 and at most 1",
                "--gpu-memory-utilization nan|above 0 and at most 1",
                "--gpu-memory-utilization ninety|a number",
                "--gpu-memory-utilization|needs a value",
                "--max-model-len 0|at least 1",
                "--max-model-len -5|at least 1",
                "--max-model-len 1.5K|such as 32768",
                "--max-model-len 99999999999999999999|at least 1",
                "--max-num-seqs 0|at least 1",
                "--max-num-seqs many|at least 1",
                "--tensor-parallel-size -2|at least 1",
                "--kv-cache-dtype fp7|expected one of auto, float16",
                "--quantization zip|expected one of",
                "--dtype int4|expected one of auto, half",
                "--scheduling-policy lifo|expected one of fcfs, priority",
                "--performance-mode fast|expected one of balanced",
                "--mamba-cache-mode some|expected one of align, none, all",
                "--enable-prefix-caching=False|use --no-enable-prefix-caching",
                "--no-enable-prefix-caching=1|takes no value",
                "--speculative-config {\"method\":\"magic\"}|expected one of ngram",
                "--speculative-config {\"method\":\"mtp\",\"num_speculative_tokens\":0}|integer of 1 to",
                "--speculative-config {broken|a JSON object",
                "--hf-overrides [1]|a JSON object",
                "--compilation-config {\"cudagraph_mode\":\"SOME\"}|cudagraph_mode",
                "--cudagraph-capture-sizes 1 x|positive integers",
                "--optimization-level 7|one of 0, 1, 2, 3",
                "--max-lora-rank 17|one of 1, 8",
                "--watermark 1|below 1",
                "--max-num 3|ambiguous",
                "VLLM_USE_V2_MODEL_RUNNER=maybe|expected 0 or 1",
                "VLLM_PP_LAYER_PARTITION=1,x|layers per stage",
            })
    void refusesBadValuesNamingFlagAndMend(String line, String complaint) {
        assertThatThrownBy(() -> readLine(line))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(complaint)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void listsEveryFlagOnce() {
        List<VllmFlag> flags = VllmFlags.standard().all();

        assertThat(flags).hasSizeGreaterThan(340).doesNotHaveDuplicates();
        assertThat(flags.stream().flatMap(flag -> flag.aliases().stream())).doesNotHaveDuplicates();
    }
}
