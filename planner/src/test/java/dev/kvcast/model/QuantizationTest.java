package dev.kvcast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantizationTest {

    private static final String BASE = """
            {"architectures":["Qwen3MoeForCausalLM"],"model_type":"qwen3_moe","hidden_size":2048,"head_dim":128,
             "intermediate_size":6144,"moe_intermediate_size":768,"num_experts":8,"num_experts_per_tok":2,
             "num_hidden_layers":4,"num_attention_heads":32,"num_key_value_heads":4,"vocab_size":151936,
             "max_position_embeddings":40960,"torch_dtype":"bfloat16","quantization_config":%s}""";

    /** How many bits the module's weight has in one layer. */
    private static double bits(ModelConfig model, String module, int layer) {
        for (Weight weight : model.weights()) {
            boolean inLayer = weight.layers().outside() || weight.layers().countWithin(layer, layer + 1) == 1;
            if (inLayer && weight.module().endsWith(module)) {
                return weight.scheme().bits(model.dtype());
            }
        }
        throw new AssertionError("no " + module);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'quant_method':'awq','bits':4,'group_size':128,'zero_point':true} | 4 | 4 | 16",
                "{'quant_method':'gptq','bits':8,'group_size':-1,'desc_act':true,'sym':true} | 8 | 8 | 16",
                "{'quant_method':'gptq','bits':4,'group_size':128,'lm_head':true,'dynamic':{'-:.*self_attn.*':{}}} | 16 | 4 | 4",
                "{'quant_method':'fp8','weight_block_size':[128,128],'modules_to_not_convert':['lm_head']} | 8 | 8 | 16",
                "{'quant_method':'auto-round','bits':4,'group_size':128,'extra_config':{'model.layers.1.self_attn.q_proj':{'bits':16}}} | 16 | 4 | 16",
                "{'quant_method':'bitsandbytes','load_in_4bit':true} | 4 | 4 | 16",
                "{'quant_method':'mxfp4'} | 16 | 4 | 16",
                "{'quant_algo':'NVFP4','group_size':16,'producer':{'name':'modelopt'},'ignore':['lm_head','*self_attn*']} | 16 | 4 | 16",
                "{'quant_algo':'MIXED_PRECISION','quant_method':'modelopt','quantized_layers':{'model.layers.1.self_attn.q_proj':{'quant_algo':'FP8'},'lm_head':{'quant_algo':'NVFP4'}}} | 8 | 16 | 4",
                "{'quant_method':'compressed-tensors','config_groups':{'a':{'targets':['Linear'],'weights':{'num_bits':4,'type':'int','strategy':'group','group_size':32,'symmetric':true}}},'ignore':['re:.*self_attn.*']} | 16 | 4 | 16",
                "{'quant_method':'compressed-tensors','config_groups':{'a':{'targets':['Linear'],'input_activations':{'num_bits':8},'weights':{'num_bits':8,'type':'int','strategy':'channel'}}}} | 8 | 8 | 16",
                "{'quant_method':'compressed-tensors','config_groups':{'a':{'targets':['re:.*experts.*'],'weights':{'num_bits':4,'type':'float','group_size':16}},'b':{'targets':['re:.*self_attn.*'],'weights':{'num_bits':8,'type':'float','strategy':'channel'}}}} | 8 | 4 | 16",
                "{'quant_method':'quark','global_quant_config':{'weight':{'dtype':'fp8_e4m3','qscheme':'per_tensor'}},'exclude':['lm_head']} | 8 | 8 | 16",
                "{'quant_method':'torchao','quant_type':{'default':{'_type':'Int4WeightOnlyConfig','_data':{'group_size':64}}}} | 4 | 4 | 16",
                "{'quant_method':'exl3','bits':3.5} | 3.5 | 3.5 | 16",
            })
    void readsEveryKind(String config, double attention, double experts, double head) {
        ModelConfig model = TestModels.parse(BASE.formatted(config.replace('\'', '"')));
        assertThat(bits(model, "self_attn.q_proj", 1)).isEqualTo(attention);
        assertThat(bits(model, "experts.*.up_proj", 1)).isEqualTo(experts);
        assertThat(bits(model, "lm_head", 1)).isEqualTo(head);
        assertThat(bits(model, "mlp.gate", 1)).isEqualTo(16);
        assertThat(bits(model, "model.embed_tokens", 1)).isEqualTo(16);
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia/Llama-3.1-70B-Instruct-FP8, fp8",
        "nvidia/GLM-5.2-NVFP4, fp8",
        "Qwen/Qwen3-32B-FP8, ''",
        "Qwen/Qwen3-32B, ''",
    })
    void readsTheCacheTypeACheckpointAsksFor(String id, String expected) {
        assertThat(TestModels.find(id).kvCacheDtype().orElse("")).isEqualTo(expected);
    }

    @Test
    void mixesPrecisionsPerModule() {
        ModelConfig model = TestModels.find("nvidia/Qwen3.6-35B-A3B-NVFP4");
        assertThat(bits(model, "experts.*.up_proj", 3)).isEqualTo(4);
        assertThat(bits(model, "linear_attn.out_proj", 0)).isEqualTo(8);
    }

    @Test
    void keepsDeepseekV4ExpertsInFourBits() {
        ModelConfig model = TestModels.find("deepseek-ai/DeepSeek-V4-Flash");
        assertThat(bits(model, "experts.*.up_proj", 5)).isEqualTo(4);
        assertThat(bits(model, "attn.wq_b", 5)).isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource({
        "bf16, 16", "fp8, 8", "awq-int4, 4", "gptq-int4, 4", "gptq-int8, 8", "int4-autoround, 4", "w4a16-int4, 4",
        "w8a8-int8, 8", "nvfp4, 4", "mxfp8, 8", "bnb, 4", "bnb-4bit, 4", "exl3 3.5bpw, 3.5", "Q4_K_M, 4.85",
        "gguf-q8_0, 8.5", "int8, 8", "4bit, 4", "AWQ-4bit, 4"
    })
    void parsesWhatPeopleType(String name, double bits) {
        assertThat(QuantizationNames.parse(name).scheme().bits(DataType.BFLOAT16))
                .isEqualTo(bits);
    }

    @Test
    void refusesUnknownNames() {
        assertThatThrownBy(() -> QuantizationNames.parse("zip9"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("zip9");
    }

    @Test
    void matchesNamesInEverySpelling() {
        Map<String, Boolean> cases = new TreeMap<>(Map.of(
                "model.layers.1.self_attn", true,
                "model.layers.10", false,
                "language_model.model.layers.1.self_attn.q_proj", true,
                "model.language_model.layers.1*", true,
                "re:.*qkv_proj$", true,
                "q_proj", true,
                "proj", false,
                "*.mlp.*", false));
        cases.forEach((pattern, expected) -> assertThat(
                        new ModulePatterns(List.of(new Quantization.Rule(pattern, new WeightScheme.Original())))
                                .find("model.layers.1.self_attn.q_proj")
                                .isPresent())
                .as(pattern)
                .isEqualTo(expected));
    }
}
