package dev.kvcast.model.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The table of architectures kvcast knows: the first entry of {@code architectures} in {@code config.json}, and its
 * family. Names follow vLLM 0.32's {@code model_executor/models/registry.py}.
 */
final class Architectures {

    private static final Map<String, ArchitectureFamily> FAMILIES = families();

    private Architectures() {}

    /** The family of an architecture. */
    static Optional<ArchitectureFamily> family(String architecture) {
        return Optional.ofNullable(FAMILIES.get(architecture));
    }

    private static Map<String, ArchitectureFamily> families() {
        Map<String, ArchitectureFamily> table = new HashMap<>();
        addDense(table);
        addGemmaAndCohere(table);
        addSparse(table);
        addLatent(table);
        addHybrids(table);
        return table;
    }

    private static void addDense(Map<String, ArchitectureFamily> table) {
        ArchitectureFamily llama = new StandardFamily(Trait.ATTENTION_BIAS_FIELD, Trait.MLP_BIAS_FIELD);
        put(
                table,
                llama,
                "LlamaForCausalLM",
                "LLaMAForCausalLM",
                "MistralForCausalLM",
                "Ministral3ForCausalLM",
                "YiForCausalLM",
                "InternLM2ForCausalLM",
                "InternLM3ForCausalLM",
                "GraniteForCausalLM",
                "Mistral3ForConditionalGeneration",
                "PixtralForConditionalGeneration",
                "LlavaForConditionalGeneration",
                "LlavaNextForConditionalGeneration",
                "SmolLM3ForCausalLM",
                "AquilaForCausalLM",
                "BaichuanForCausalLM",
                "Phi3ForCausalLM",
                "Ernie4_5ForCausalLM",
                "VoxtralForConditionalGeneration",
                "SolarForCausalLM",
                "TeleChat3ForCausalLM",
                "IQuestCoderForCausalLM",
                "HunYuanDenseV1ForCausalLM",
                "MiniCPMForCausalLM");
        put(table, new StandardFamily(Trait.ATTENTION_BIAS_FIELD, Trait.NO_OUTPUT_BIAS), "SeedOssForCausalLM");
        put(
                table,
                new StandardFamily(Trait.QKV_BIAS, Trait.WINDOW_FLAG),
                "Qwen2ForCausalLM",
                "Qwen2VLForConditionalGeneration",
                "Qwen2_5_VLForConditionalGeneration",
                "Qwen2_5OmniModel",
                "Qwen2_5OmniForConditionalGeneration",
                "Qwen2AudioForConditionalGeneration");
        put(table, new StandardFamily(Trait.QKV_BIAS, Trait.WINDOW_FLAG, Trait.DRAFT_DENSE), "MiMoForCausalLM");
        put(
                table,
                new StandardFamily(Trait.ATTENTION_BIAS_FIELD, Trait.QK_NORM, Trait.WINDOW_FLAG),
                "Qwen3ForCausalLM",
                "Qwen3VLForConditionalGeneration",
                "Qwen3ASRForConditionalGeneration");
        put(
                table,
                new StandardFamily(
                        Trait.QKV_BIAS,
                        Trait.OUTPUT_BIAS,
                        Trait.PLAIN_MLP,
                        Trait.MLP_BIAS,
                        Trait.NORM_BIAS,
                        Trait.ONE_NORM,
                        Trait.HEAD_BIAS,
                        Trait.NO_WINDOW),
                "PhiForCausalLM");
        put(
                table,
                new StandardFamily(Trait.QKV_BIAS, Trait.OUTPUT_BIAS, Trait.PLAIN_MLP, Trait.MLP_BIAS, Trait.NORM_BIAS),
                "Starcoder2ForCausalLM");
        put(
                table,
                new StandardFamily(Trait.QK_NORM_ALL_HEADS, Trait.ATTENTION_BIAS_FIELD),
                "Olmo2ForCausalLM",
                "Olmo3ForCausalLM");
        put(table, new StandardFamily(Trait.QK_NORM), "Exaone4ForCausalLM");
        put(table, new StandardFamily(Trait.PLAIN_MLP, Trait.NORM_BIAS, Trait.NO_WINDOW), "NemotronForCausalLM");
        put(
                table,
                new StandardFamily(Trait.PLAIN_MLP, Trait.QK_NORM, Trait.ATTENTION_BIAS_FIELD),
                "ApertusForCausalLM");
        put(table, new StandardFamily(Trait.QKV_BIAS), "StableLmForCausalLM");
        put(
                table,
                new StandardFamily(Trait.FOUR_NORMS, Trait.ATTENTION_BIAS_FIELD, Trait.NO_OUTPUT_BIAS),
                "Glm4ForCausalLM");
        put(table, new StandardFamily(Trait.ATTENTION_BIAS_FIELD, Trait.NO_OUTPUT_BIAS), "GlmForCausalLM");
        put(table, new StandardFamily(Trait.ONE_NORM, Trait.NORM_BIAS, Trait.PLAIN_MLP), "FalconForCausalLM");
        put(table, new BlockConfigFamily(), "DeciLMForCausalLM");
        put(
                table,
                new StandardFamily(
                        Trait.QKV_BIAS,
                        Trait.OUTPUT_BIAS,
                        Trait.PLAIN_MLP,
                        Trait.MLP_BIAS,
                        Trait.NORM_BIAS,
                        Trait.LEARNED_POSITIONS,
                        Trait.NO_WINDOW),
                "OPTForCausalLM");
    }

    private static void addGemmaAndCohere(Map<String, ArchitectureFamily> table) {
        put(
                table,
                new StandardFamily(Trait.ATTENTION_BIAS_FIELD),
                "GemmaForCausalLM",
                "PaliGemmaForConditionalGeneration");
        put(
                table,
                new StandardFamily(Trait.FOUR_NORMS, Trait.ALTERNATE_WINDOWS, Trait.ATTENTION_BIAS_FIELD),
                "Gemma2ForCausalLM");
        put(
                table,
                new StandardFamily(Trait.FOUR_NORMS, Trait.QK_NORM, Trait.SIXTH_LAYER_FULL, Trait.ATTENTION_BIAS_FIELD),
                "Gemma3ForCausalLM",
                "Gemma3ForConditionalGeneration");
        put(
                table,
                new Gemma4Family(),
                "Gemma4ForCausalLM",
                "Gemma4ForConditionalGeneration",
                "DiffusionGemmaForConditionalGeneration",
                "DiffusionGemmaForBlockDiffusion",
                "Gemma4UnifiedForConditionalGeneration");
        put(
                table,
                new StandardFamily(Trait.ONE_NORM, Trait.ATTENTION_BIAS_FIELD, Trait.QK_NORM_FIELD),
                "CohereForCausalLM",
                "Cohere2ForCausalLM",
                "Cohere2VisionForConditionalGeneration");
    }

    private static void addSparse(Map<String, ArchitectureFamily> table) {
        ArchitectureFamily mixtral = new StandardFamily(Trait.ATTENTION_BIAS_FIELD);
        put(table, mixtral, "MixtralForCausalLM", "GraniteMoeForCausalLM", "Ernie4_5_MoeForCausalLM");
        put(
                table,
                new StandardFamily(Trait.ATTENTION_BIAS_FIELD, Trait.SHARED_EXPERT),
                "Llama4ForCausalLM",
                "Llama4ForConditionalGeneration");
        put(
                table,
                new StandardFamily(Trait.QK_NORM, Trait.HEAD_GATE, Trait.ROUTER_BIAS, Trait.ATTENTION_BIAS_FIELD),
                "LagunaForCausalLM");
        put(
                table,
                new StandardFamily(Trait.QK_NORM, Trait.ROUTER_BIAS, Trait.HEAD_GATE),
                "Step3p7FlashForCausalLM",
                "Step3p5ForCausalLM");
        put(table, new StandardFamily(Trait.QK_NORM, Trait.ROUTER_BIAS), "HYV3ForCausalLM");
        put(table, new StandardFamily(Trait.QKV_BIAS, Trait.WINDOW_FLAG, Trait.SHARED_GATE), "Qwen2MoeForCausalLM");
        put(
                table,
                new StandardFamily(Trait.ATTENTION_BIAS_FIELD, Trait.QK_NORM, Trait.WINDOW_FLAG),
                "Qwen3MoeForCausalLM",
                "Qwen3VLMoeForConditionalGeneration",
                "Qwen3OmniMoeForConditionalGeneration");
        put(table, new StandardFamily(Trait.QK_NORM_ALL_HEADS), "OlmoeForCausalLM");
        put(
                table,
                new StandardFamily(Trait.ATTENTION_BIAS_FIELD, Trait.NORM_BIAS, Trait.HEAD_BIAS),
                "PhiMoEForCausalLM",
                "PhimoeForCausalLM");
        put(
                table,
                new StandardFamily(
                        Trait.QKV_BIAS, Trait.OUTPUT_BIAS, Trait.SINKS, Trait.EXPERT_BIAS, Trait.ALTERNATE_WINDOWS),
                "GptOssForCausalLM");
        put(
                table,
                new StandardFamily(
                        Trait.ATTENTION_BIAS_FIELD,
                        Trait.NO_OUTPUT_BIAS,
                        Trait.QK_NORM_FIELD,
                        Trait.ROUTER_BIAS,
                        Trait.DRAFT_SPARSE),
                "Glm4MoeForCausalLM",
                "Glm4vMoeForConditionalGeneration");
        put(
                table,
                new StandardFamily(Trait.QK_NORM, Trait.ATTENTION_BIAS_FIELD),
                "Dots1ForCausalLM",
                "BailingMoeV2ForCausalLM",
                "HunYuanMoEV1ForCausalLM");
        put(table, new StandardFamily(Trait.ATTENTION_BIAS_FIELD), "BailingMoeForCausalLM");
        put(
                table,
                new StandardFamily(Trait.QK_NORM_ALL_HEADS, Trait.QK_NORM_FIELD, Trait.ROUTER_BIAS),
                "MiniMaxM2ForCausalLM");
        put(
                table,
                new StandardFamily(Trait.ROUTER_BIAS, Trait.ATTENTION_BIAS_FIELD),
                "MiMoV2FlashForCausalLM",
                "MiMoV2ForCausalLM");
    }

    private static void addLatent(Map<String, ArchitectureFamily> table) {
        put(
                table,
                new LatentFamily(),
                "DeepseekForCausalLM",
                "DeepseekV2ForCausalLM",
                "DeepseekV3ForCausalLM",
                "DeepseekV32ForCausalLM",
                "GlmMoeDsaForCausalLM",
                "Glm4MoeLiteForCausalLM",
                "KimiK25ForConditionalGeneration",
                "KimiVLForConditionalGeneration",
                "KimiK2ForCausalLM",
                "MistralLarge3ForCausalLM");
        put(table, new CompressedLatentFamily(), "DeepseekV4ForCausalLM");
    }

    private static void addHybrids(Map<String, ArchitectureFamily> table) {
        put(
                table,
                new GatedDeltaFamily(),
                "Qwen3NextForCausalLM",
                "Qwen3_5ForCausalLM",
                "Qwen3_5ForConditionalGeneration",
                "Qwen3_5MoeForCausalLM",
                "Qwen3_5MoeForConditionalGeneration");
        put(table, new NemotronHybridFamily(), "NemotronHForCausalLM", "NemotronHPuzzleForCausalLM");
        put(table, new JambaFamily(), "JambaForCausalLM");
        put(table, new GraniteHybridFamily(), "GraniteMoeHybridForCausalLM");
        put(table, new ParallelHybridFamily(), "FalconH1ForCausalLM");
        put(table, new ShortConvFamily(), "Lfm2ForCausalLM", "Lfm2MoeForCausalLM");
        put(table, new LightningFamily(), "MiniMaxText01ForCausalLM", "MiniMaxM1ForCausalLM");
        put(table, new KimiLinearFamily(), "KimiLinearForCausalLM", "KimiK3ForConditionalGeneration");
    }

    private static void put(Map<String, ArchitectureFamily> table, ArchitectureFamily family, String... names) {
        for (String name : names) {
            table.put(name, family);
        }
    }
}
