package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DataType;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Quantization;
import dev.kvcast.model.StateShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class VllmSettingsResolverTest {

    private static final DecoderLayer FULL =
            DecoderLayer.of(new Mixer.Full(AttentionShape.of(16, 4, 256)), new FeedForward.Dense(9216, 3));

    private static final DecoderLayer STATE = DecoderLayer.of(
            new Mixer.Recurrent(new StateShape.GatedDelta(16, 32, 128, 128, 4)), new FeedForward.Dense(9216, 3));

    private static ModelConfig dense() {
        return model(List.of(FULL, FULL), ModelConfig.Encoder.NONE, Optional.empty());
    }

    private static ModelConfig hybrid() {
        return model(
                List.of(STATE, FULL), new ModelConfig.Encoder(List.of("image"), 4096, 4, 1152, 4304), Optional.empty());
    }

    private static ModelConfig model(List<DecoderLayer> layers, ModelConfig.Encoder encoder, Optional<String> kvDtype) {
        return new ModelConfig(
                "org/model",
                "Qwen3ForCausalLM",
                "qwen3",
                DataType.BFLOAT16,
                2560,
                151_936,
                true,
                262_144,
                new ArrayList<>(layers),
                List.of(FULL),
                new ModelConfig.StateDtypes(DataType.BFLOAT16, DataType.FLOAT32),
                Quantization.NONE,
                kvDtype,
                encoder,
                1,
                0,
                List.of());
    }

    private static Accelerator card(String name, double gib, int capability) {
        OptionalDouble none = OptionalDouble.empty();
        return new Accelerator(
                name,
                List.of(),
                "NVIDIA",
                "Ampere",
                capability,
                gib,
                (long) (gib * (1L << 30)),
                true,
                936e9,
                new Accelerator.Compute(none, none, none, none, none),
                0,
                "PCIe",
                0,
                false,
                0.5);
    }

    private static VllmSettings resolve(String version, ModelConfig model, Accelerator card, String... words) {
        VllmOptions options = VllmOptionsReader.read(List.of(words), Map.of());
        return VllmSettingsResolver.resolve(VllmRules.of(VllmVersion.of(version)), options, model, card);
    }

    private static VllmSettings newest(ModelConfig model, String... words) {
        return resolve("0.32.0", model, card("RTX 3090", 23.56, 86), words);
    }

    @ParameterizedTest
    @CsvSource({
        "RTX 3090, 23.56, 0.32.0, 2048, 256",
        "A100 80GB, 79.25, 0.32.0, 2048, 256",
        "H100 SXM, 79.1, 0.32.0, 8192, 1024",
        "B200, 178.4, 0.32.0, 16384, 1024",
        "B200, 178.4, 0.27.1, 8192, 1024",
        "RTX 6000 Ada, 47.5, 0.9.2, 2048, 256",
    })
    void takesBatchDefaultsByDevice(String name, double gib, String version, int tokens, int sequences) {
        VllmSettings settings = resolve(version, dense(), card(name, gib, 90));

        assertThat(settings.batch().maxBatchedTokens()).isEqualTo(tokens);
        assertThat(settings.batch().maxSequences()).isEqualTo(sequences);
        assertThat(settings.batch().chunkedPrefill()).isTrue();
    }

    @Test
    void boundsBatchDefaultsByEachOther() {
        assertThat(newest(dense(), "--max-num-batched-tokens", "64").batch().maxSequences())
                .isEqualTo(64);
        assertThat(newest(dense(), "--max-num-seqs", "1", "--max-model-len", "1024")
                        .batch()
                        .maxBatchedTokens())
                .isEqualTo(1024);
        assertThat(newest(dense(), "--no-enable-chunked-prefill").batch().maxBatchedTokens())
                .isEqualTo(262_144);
        assertThat(newest(dense(), "--performance-mode", "throughput").batch().maxSequences())
                .isEqualTo(512);
    }

    @ParameterizedTest
    @CsvSource({
        // version, flags, prefix caching, mode
        "0.32.0, '', true, ALIGN",
        "0.32.0, --no-enable-prefix-caching, false, NONE",
        "0.32.0, --no-enable-prefix-caching --mamba-cache-mode align, false, NONE",
        "0.19.0, '', false, NONE",
        "0.19.0, --enable-prefix-caching, true, ALIGN",
        "0.19.0, --enable-prefix-caching --mamba-cache-mode all, true, ALL",
        "0.13.0, --enable-prefix-caching, true, ALL",
    })
    void resolvesHybridCaching(String version, String flags, boolean caching, KvLayout.StateMode mode) {
        String[] words = flags.isEmpty() ? new String[0] : flags.split(" ", -1);
        VllmSettings settings = resolve(version, hybrid(), card("RTX 3090", 23.56, 86), words);

        assertThat(settings.cache().prefixCaching()).isEqualTo(caching);
        assertThat(settings.cache().stateMode()).isEqualTo(mode);
    }

    @ParameterizedTest
    @CsvSource({
        // version, flags, second runner, async, batches, in-flight tokens
        "0.32.0, '', true, true, 2, 4096",
        "0.32.0, --no-async-scheduling, true, false, 1, 2048",
        "0.32.0, -pp 2, true, true, 3, 6144",
        "0.32.0, --spec-method ngram --spec-tokens 4, true, false, 1, 2048",
        "0.32.0, --spec-method mtp --spec-tokens 1, true, true, 2, 4096",
        "0.32.0, --spec-method suffix --spec-tokens 4, false, false, 1, 2048",
        "0.21.0, '', false, true, 2, 2048",
        "0.12.0, '', false, false, 1, 2048",
    })
    void choosesRunnerAndBatchesInFlight(
            String version, String flags, boolean second, boolean async, int batches, long inFlight) {
        String[] words = flags.isEmpty() ? new String[0] : flags.split(" ", -1);
        VllmSettings settings = resolve(version, dense(), card("RTX 3090", 23.56, 86), words);

        assertThat(settings.steps().secondRunner()).isEqualTo(second);
        assertThat(settings.steps().asyncScheduling()).isEqualTo(async);
        assertThat(settings.steps().concurrentBatches()).isEqualTo(batches);
        assertThat(settings.inFlightTokens()).isEqualTo(inFlight);
    }

    @ParameterizedTest
    @CsvSource({
        // version, max_num_seqs, batched tokens, draft tokens, data-centre Blackwell, largest, count
        "0.32.0, 128, 2048, 0, false, 256, 35",
        "0.32.0, 256, 2048, 0, false, 512, 51",
        "0.19.0, 256, 2048, 0, false, 512, 51",
        "0.11.0, 256, 2048, 0, false, 512, 67",
        "0.32.0, 1024, 8192, 0, true, 1024, 83",
        "0.32.0, 1, 2048, 0, false, 2, 2",
        "0.32.0, 6, 2048, 6, false, 80, 17",
        "0.28.0, 6, 2048, 6, false, 80, 13",
        "0.32.0, 256, 100, 0, false, 100, 16",
    })
    void listsCaptureSizes(
            String version, int sequences, int tokens, int drafts, boolean blackwell, int largest, int count) {
        CompilationOptions none = VllmOptionsReader.read(List.of(), Map.of()).compilation();
        List<Integer> sizes = CaptureSizes.of(
                VllmRules.of(VllmVersion.of(version)).captures(),
                none,
                new CaptureSizes.Batch(sequences, tokens, drafts, blackwell, false));

        assertThat(sizes).isSorted().hasSize(count).last().isEqualTo(largest);
    }

    /** Lists that {@code _set_cudagraph_sizes} of vLLM 0.32.0 itself returned. */
    @ParameterizedTest
    @CsvFileSource(resources = "capture-sizes.csv", numLinesToSkip = 1, maxCharsPerColumn = 8192)
    void listsTheSizesThatVllmLists(
            int sequences, int tokens, int drafts, boolean blackwell, boolean interactive, int largest, String sizes) {
        String[] words =
                largest > 0 ? new String[] {"--max-cudagraph-capture-size", String.valueOf(largest)} : new String[0];
        CompilationOptions options =
                VllmOptionsReader.read(List.of(words), Map.of()).compilation();

        List<Integer> listed = CaptureSizes.of(
                VllmRules.of(VllmVersion.NEWEST).captures(),
                options,
                new CaptureSizes.Batch(sequences, tokens, drafts, blackwell, interactive));

        assertThat(listed.stream().map(String::valueOf).collect(Collectors.joining(" ")))
                .isEqualTo(sizes);
    }

    @Test
    void resolvesGraphs() {
        assertThat(newest(dense(), "--enforce-eager").graphs().used()).isFalse();
        assertThat(newest(dense()).graphs().mode()).isEqualTo(CompilationOptions.GraphMode.FULL_AND_PIECEWISE);
        assertThat(newest(dense()).graphs().subtracted()).isTrue();
        assertThat(resolve("0.20.0", dense(), card("L4", 22.5, 89)).graphs().subtracted())
                .isFalse();
        assertThat(resolve("0.25.1", dense(), card("L4", 22.5, 89)).graphs().subtracted())
                .isFalse();
        assertThat(newest(dense(), "--cudagraph-capture-sizes", "4", "1", "2", "4")
                        .graphs()
                        .sizes())
                .containsExactly(1, 2, 4);
    }

    @Test
    void resolvesDtypesAndTower() {
        assertThat(newest(dense()).utilization()).isEqualTo(0.92);
        assertThat(newest(model(List.of(FULL), ModelConfig.Encoder.NONE, Optional.of("fp8")))
                        .cache()
                        .dtype())
                .isEqualTo("fp8");
        assertThat(resolve("0.32.0", dense(), card("T4", 14.6, 75)).dtype()).isEqualTo(DataType.FLOAT16);
        assertThat(newest(hybrid()).towerProfiled()).isTrue();
        assertThat(newest(hybrid(), "--language-model-only").towerLoaded()).isFalse();
        assertThat(newest(hybrid(), "--limit-mm-per-prompt", "{\"image\":0}").towerProfiled())
                .isFalse();
    }

    @Test
    void warnsOfFlagsOfOtherReleases() {
        assertThat(resolve("0.15.0", dense(), card("L4", 22.5, 89), "--watermark", "0.1")
                        .warnings())
                .containsExactly("--watermark came with vLLM 0.23.0; 0.15.0 does not have it");
        assertThat(newest(dense(), "--swap-space", "4").warnings())
                .containsExactly("--swap-space was removed in vLLM 0.18.0; 0.32.0 refuses it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-num-batched-tokens 64 --max-num-seqs 128|below max_num_seqs 128",
                "--max-num-batched-tokens 4096 --no-enable-chunked-prefill|chunked prefill is off",
                "--max-model-len 300000|above the 262144 of org/model",
                "-tp 3|not divisible by --tensor-parallel-size 3",
                "-pp 3|above the 2 layers",
                "-tp 4 -dcp 2|above the model's 4 key/value heads",
                "-tp 8 -dcp 4|the most that",
                "--max-num-seqs 8 --max-num-active-seqs 9|above max_num_seqs 8",
                "--async-scheduling --spec-method ngram --spec-tokens 3|works only with",
                "--cudagraph-capture-sizes 1 2 --max-cudagraph-capture-size 8|make them equal",
                "--mamba-block-size 64 --no-enable-prefix-caching|only be set with",
                "--long-prefill-token-threshold 300000|above max_model_len",
            })
    void refusesWhatVllmRefuses(String flags, String complaint) {
        assertThatThrownBy(() -> newest(dense(), flags.split(" ", -1)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(complaint)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void refusesWhatTheReleaseLacks() {
        Accelerator card = card("L4", 22.5, 89);

        assertThatThrownBy(() -> resolve("0.13.0", dense(), card, "--max-model-len", "auto"))
                .hasMessageContaining("came with vLLM 0.14");
        assertThatThrownBy(() -> newest(hybrid(), "--mamba-cache-mode", "all")).hasMessageContaining("align or none");
        assertThatThrownBy(() -> resolve("0.32.0", dense(), card("T4", 14.6, 75), "--dtype", "bfloat16"))
                .hasMessageContaining("compute capability 8.0");
    }
}
