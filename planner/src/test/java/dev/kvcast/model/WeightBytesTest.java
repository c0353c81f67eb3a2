package dev.kvcast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvcast.model.io.ModelCatalog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightBytesTest {

    private static final double GIB = 1L << 30;

    /** "Model loading took" of real vLLM boots, in GiB per GPU; sources in {@code data/startups}. */
    @ParameterizedTest
    @CsvSource({
        "meta-llama/Llama-3.1-8B-Instruct, 1, 14.99, 0.005",
        "Qwen/Qwen3-8B, 1, 15.27, 0.005",
        "Qwen/Qwen3-32B, 2, 30.59, 0.005",
        "Qwen/Qwen3-30B-A3B, 4, 14.25, 0.005",
        "Qwen/Qwen3-235B-A22B-Instruct-2507-FP8, 8, 27.72, 0.005",
        "Qwen/Qwen2.5-7B-Instruct, 1, 14.25, 0.01",
        "Qwen/Qwen2.5-Omni-7B, 1, 16.74, 0.01",
        "Qwen/Qwen3.5-9B, 1, 17.66, 0.01",
        "Qwen/Qwen3.5-35B-A3B-FP8, 1, 34.22, 0.01",
        "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic, 2, 33.88, 0.005",
        "hugging-quants/Meta-Llama-3.1-70B-Instruct-AWQ-INT4, 1, 37.09, 0.005",
        "neuralmagic/Meta-Llama-3.1-70B-Instruct-quantized.w8a8, 1, 67.72, 0.005",
        "MiniMaxAI/MiniMax-M2.5, 4, 53.75, 0.005",
        "google/gemma-4-26B-A4B, 1, 48.50, 0.01",
        "mistralai/Mistral-Small-3.2-24B-Instruct-2506, 1, 44.76, 0.005",
        "llava-hf/llava-v1.6-mistral-7b-hf, 1, 14.08, 0.005",
        "openai/gpt-oss-20b, 1, 13.72, 0.005",
        "openai/gpt-oss-120b, 1, 65.97, 0.005",
        "zai-org/GLM-5.1-FP8, 8, 89.34, 0.005",
        "Qwen/Qwen3.8-27B-FP8, 1, 28.51, 0.01",
    })
    void agreesWithWhatEnginesLoad(String name, int ranks, double observed, double tolerance) {
        WeightBytes bytes = WeightBytes.of(TestModels.find(name), Placement.tensor(ranks));
        assertThat(bytes.total() / GIB).isCloseTo(observed, within(observed * tolerance));
    }

    @Test
    void componentsSumToTheTotal() {
        WeightBytes bytes = WeightBytes.of(TestModels.find("Qwen/Qwen3.5-4B"), Placement.tensor(1));
        long sum =
                bytes.byComponent().values().stream().mapToLong(Long::longValue).sum();
        assertThat(sum).isEqualTo(bytes.total());
    }

    @Test
    void flagsDropWholeComponents() {
        ModelConfig model = TestModels.find("Qwen/Qwen3.5-4B");
        Placement all = Placement.tensor(1);
        WeightBytes text = WeightBytes.of(model, all.withFrontEnd(false));
        // Worked by hand in the vLLM accounting notes: 4,205,751,296 parameters in 2 bytes, few of them in 4.
        assertThat(text.total() / 2.0).isCloseTo(4_205_751_296.0, within(100_000.0));
        assertThat(text.of(Component.VISION)).isZero();
        assertThat(WeightBytes.of(model, all.withDraft(true)).of(Component.MTP)).isPositive();
        assertThat(text.of(Component.MTP)).isZero();
        assertThat(text.of(Component.LM_HEAD)).isZero();
    }

    @Test
    void stagesTogetherHoldTheModel() {
        ModelConfig model = TestModels.find("meta-llama/Llama-3.1-8B");
        Placement whole = Placement.tensor(1);
        long first = WeightBytes.of(model, whole.stage(0, 16, true, false)).total();
        long last = WeightBytes.of(model, whole.stage(16, 32, false, true)).total();
        assertThat(first + last).isEqualTo(WeightBytes.of(model, whole).total());
    }

    @Test
    void moreRanksNeverHoldMore() {
        for (String id : ids()) {
            ModelConfig model = TestModels.find(id);
            long before = Long.MAX_VALUE;
            for (int ranks = 1; ranks <= 16; ranks *= 2) {
                long now = WeightBytes.of(model, Placement.tensor(ranks)).total();
                assertThat(now).as(id + " on " + ranks).isLessThanOrEqualTo(before);
                before = now;
            }
        }
    }

    @Test
    void expertParallelismHoldsNoMoreThanWholeExperts() {
        ModelConfig model = TestModels.find("Qwen/Qwen3-30B-A3B");
        long divided = WeightBytes.of(model, Placement.tensor(4)).total();
        long dealt =
                WeightBytes.of(model, Placement.tensor(4).withExpertRanks(4)).total();
        assertThat(dealt).isEqualTo(divided);
    }

    @Test
    void fewerBitsNeverHoldMore() {
        for (String id : ids()) {
            ModelConfig model = TestModels.find(id).withQuantization(Quantization.NONE);
            long before = Long.MAX_VALUE;
            for (String name : List.of("bf16", "fp8", "nvfp4")) {
                long now = WeightBytes.of(model.withQuantization(QuantizationNames.parse(name)), Placement.tensor(1))
                        .total();
                // The 16-bit copies of absorbed latent projections may eat what 8 bits save on a few of them.
                assertThat(now).as(id + " " + name).isLessThanOrEqualTo(before);
                before = now;
            }
        }
    }

    private static List<String> ids() {
        return ModelCatalog.packaged().ids().stream()
                .filter(id -> Math.floorMod(id.hashCode(), 8) == 0)
                .filter(WeightBytesTest::modelled)
                .toList();
    }

    private static boolean modelled(String id) {
        try {
            return !TestModels.find(id).weights().isEmpty();
        } catch (InputException e) {
            return false;
        }
    }
}
