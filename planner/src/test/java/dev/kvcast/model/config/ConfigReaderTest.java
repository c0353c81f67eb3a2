package dev.kvcast.model.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvcast.model.DataType;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.StateShape;
import dev.kvcast.model.TestModels;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReaderTest {

    private static final String LLAMA = """
            {"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":4096,"intermediate_size":14336,
             "num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,
             "max_position_embeddings":131072,"torch_dtype":"bfloat16","tie_word_embeddings":false}""";

    /** What a layer remembers, in a word with its sizes. */
    static String describe(DecoderLayer layer) {
        return layer.mixers().isEmpty()
                ? "none"
                : layer.mixers().stream().map(ConfigReaderTest::describe).collect(Collectors.joining("&"));
    }

    private static String describe(Mixer mixer) {
        if (mixer instanceof Mixer.Full full) {
            return "full " + full.shape().kvHeads() + "x" + full.shape().headDim();
        } else if (mixer instanceof Mixer.Sliding sliding) {
            return "sliding " + sliding.shape().kvHeads() + "x"
                    + sliding.shape().headDim() + " w" + sliding.windowTokens();
        } else if (mixer instanceof Mixer.Chunked chunked) {
            return "chunked " + chunked.shape().kvHeads() + "x"
                    + chunked.shape().headDim() + " c" + chunked.chunkTokens();
        } else if (mixer instanceof Mixer.Latent latent) {
            return "latent " + latent.storedElements()
                    + (latent.windowTokens() > 0 ? " w" + latent.windowTokens() : "")
                    + (latent.tokensPerState() > 1 ? " r" + latent.tokensPerState() : "")
                    + (latent.indexer().present() ? " indexed" : "");
        } else if (mixer instanceof Mixer.Shared shared) {
            return "shared " + shared.shape().kvHeads() + "x" + shared.shape().headDim();
        } else if (mixer instanceof Mixer.Recurrent recurrent) {
            return "state " + recurrent.state().convElements(1, 0) + "+"
                    + recurrent.state().recurrentElements(1);
        }
        return mixer.getClass().getSimpleName();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/dev/kvcast/model/model-facts.csv", useHeadersInDisplayName = true, delimiter = ';')
    void readsTheFactsThatDecideMemory(String id, String layers, long maxLength, String dtypes, String ends) {
        ModelConfig model = TestModels.find(id);
        Map<String, Integer> kinds = new LinkedHashMap<>();
        for (DecoderLayer layer : model.layers()) {
            kinds.merge(describe(layer), 1, Integer::sum);
        }
        String summary = kinds.entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey())
                .collect(Collectors.joining(", "));
        assertThat(summary).isEqualTo(layers);
        assertThat(model.maxModelLength()).isEqualTo(maxLength);
        assertThat(model.dtype() + "/" + model.stateDtypes().recurrent()).isEqualTo(dtypes);
        assertThat((model.tiedEmbeddings() ? "tied" : "untied") + "/"
                        + model.draftLayers().size())
                .isEqualTo(ends);
    }

    @Test
    void readsALlama() {
        ModelConfig model = TestModels.parse(LLAMA);
        assertThat(model.parameters()).isEqualTo(8_030_261_248L);
        assertThat(model.layers()).hasSize(32);
        assertThat(model.dtype()).isEqualTo(DataType.BFLOAT16);
    }

    @Test
    void keepsTheStateOfQwen35InFloat32() {
        ModelConfig model = TestModels.find("Qwen/Qwen3.5-4B");
        StateShape state = ((Mixer.Recurrent) model.layers().get(0).mixers().get(0)).state();
        assertThat(state.convElements(1, 0)).isEqualTo(3 * 8192);
        assertThat(state.recurrentElements(1)).isEqualTo(32 * 128 * 128);
        assertThat(model.stateDtypes().recurrent()).isEqualTo(DataType.FLOAT32);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"num_key_value_heads\":8;\"num_key_value_heads\":7;num_attention_heads 32 is not a multiple of num_key_value_heads 7",
                "\"hidden_size\":4096;\"hidden_size\":4097;hidden_size 4097 is not a multiple of num_attention_heads 32",
                "\"hidden_size\":4096;\"hidden_size\":-1;hidden_size is -1",
                "\"hidden_size\":4096;\"hidden_size\":1000000000000000000;hidden_size is 1000000000000000000",
                "\"hidden_size\":4096;\"hidden_size\":1e300;hidden_size is 9223372036854775807",
                "\"hidden_size\":4096;\"hidden_size\":99999999999999999999999;hidden_size is",
                "\"hidden_size\":4096;\"hidden_size\":0;hidden_size is 0",
                "\"hidden_size\":4096;\"hidden_size\":\"big\";hidden_size is big; expected a whole number",
                "\"hidden_size\":4096;\"hidden_sise\":4096;hidden_size",
                "\"vocab_size\":128256;\"vocab_size\":null;vocab_size",
                "\"vocab_size\":128256;\"vocab_size\":128256,\"layer_types\":[\"full_attention\"];layer_types has 1 entries for num_hidden_layers 32",
                "\"torch_dtype\":\"bfloat16\";\"torch_dtype\":\"int3\";dtype \"int3\" is not a known data type",
                "[\"LlamaForCausalLM\"];[\"NovelForCausalLM\"];architecture NovelForCausalLM of test/model is not modelled",
                "[\"LlamaForCausalLM\"];[];model_type \"llama\"",
            })
    void refusesContradictions(String from, String to, String message) {
        String json = LLAMA.replace(from, to);
        if (to.equals("[]")) {
            assertThat(TestModels.parse(json).architecture()).isEqualTo("LlamaForCausalLM");
            return;
        }
        if (to.contains("hidden_sise") || to.contains("null")) {
            // transformers fills these in for a Llama, so only an unknown type misses them.
            json = json.replace("\"model_type\":\"llama\"", "\"model_type\":\"other\"");
        }
        String config = json;
        InputException e = catchThrowableOfType(InputException.class, () -> TestModels.parse(config));
        assertThat(e).isNotNull();
        assertThat(e.getMessage()).contains(message).doesNotContain("\n");
    }

    @Test
    void refusesAnUnknownQuantization() {
        String json =
                LLAMA.replace("\"torch_dtype\"", "\"quantization_config\":{\"quant_method\":\"zip9\"},\"torch_dtype\"");
        InputException e = catchThrowableOfType(InputException.class, () -> TestModels.parse(json));
        assertThat(e.code()).isEqualTo(InputException.Code.UNKNOWN_ARCHITECTURE);
        assertThat(e.getMessage()).contains("\"zip9\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'{\"rope_type\":\"linear\",\"factor\":4.0}';524288",
                "'{\"type\":\"dynamic\",\"factor\":2.0}';262144",
                "'{\"rope_type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":32768}';131072",
                "'{\"rope_type\":\"llama3\",\"factor\":8.0}';131072",
                "'{\"rope_type\":\"default\"}';131072",
            })
    void scalesTheLongestSequenceAsVllmDoes(String scaling, long expected) {
        ModelConfig model =
                TestModels.parse(LLAMA.replace("\"torch_dtype\"", "\"rope_scaling\":" + scaling + ",\"torch_dtype\""));
        assertThat(model.maxModelLength()).isEqualTo(expected);
    }
}
