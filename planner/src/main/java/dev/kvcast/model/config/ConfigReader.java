package dev.kvcast.model.config;

import dev.kvcast.model.DataType;
import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Quantization;
import dev.kvcast.model.Weight;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a parsed {@code config.json}. Defaults and derived sizes follow vLLM 0.32
 * ({@code transformers_utils/model_arch_config_convertor.py}, {@code config/model.py}) and transformers 5.
 */
public final class ConfigReader {

    private static final String[] TEXT_KEYS = {"text_config", "llm_config", "language_config", "text_model_config"};

    private ConfigReader() {}

    /**
     * The model that a config describes, with every weight tensor listed and its quantization applied.
     *
     * @param id name for messages and output
     * @param json the parsed object: maps, lists, strings, numbers, booleans
     * @throws InputException for fields that are missing, contradict each other or are out of range, and for
     *     architectures kvcast does not know
     */
    public static ModelConfig read(String id, Map<String, Object> json) {
        ConfigFields root = new ConfigFields(json);
        ConfigFields text = textConfig(root);
        String architecture = architecture(id, root, text);
        ConfigFields complete = ConfigDefaults.complete(root, text);
        ArchitectureFamily family = Architectures.family(architecture)
                .orElseThrow(() -> InputException.unknownArchitecture("architecture " + architecture + " of " + id
                        + " is not modelled; use a model listed by `kvcast models` or one of its architectures"));
        ModelOutline outline = new ModelOutline(architecture, complete);
        family.describe(outline);
        VisionTowers.add(outline, root);
        return assemble(id, architecture, root, outline);
    }

    private static ModelConfig assemble(String id, String architecture, ConfigFields root, ModelOutline outline) {
        ConfigFields text = outline.text();
        DataType dtype = dtype(root, text);
        QuantizationReader.Result quantization = QuantizationReader.read(root, text);
        List<Weight> weights = outline.weights().weights();
        long maxModelLength = MaxLength.derive(text);
        ModelConfig plain = new ModelConfig(
                id,
                architecture,
                root.text("model_type").orElse(text.text("model_type").orElse("")),
                dtype,
                outline.hiddenSize(),
                outline.vocabularySize(),
                outline.tied(),
                maxModelLength,
                outline.layers(),
                outline.draftLayers(),
                stateDtypes(text, architecture, dtype),
                Quantization.NONE,
                quantization.kvCacheDtype(),
                VisionTowers.encoder(root),
                text.sizeOr(text.sizeOr(1, "hc_count"), "hc_mult"),
                RotaryCache.bytes(text, outline.layers(), maxModelLength),
                weights);
        return plain.withQuantization(quantization.quantization());
    }

    private static ConfigFields textConfig(ConfigFields root) {
        Optional<ConfigFields> thinker = root.object("thinker_config");
        ConfigFields outer = thinker.orElse(root);
        for (String key : TEXT_KEYS) {
            Optional<ConfigFields> nested = outer.object(key);
            if (nested.isPresent()) {
                Map<String, Object> shared = new LinkedHashMap<>();
                for (String name : new String[] {"tie_word_embeddings", "dtype", "torch_dtype"}) {
                    if (root.has(name)) {
                        shared.put(name, root.raw().get(name));
                    }
                }
                return nested.get().over(new ConfigFields(shared));
            }
        }
        return outer;
    }

    private static String architecture(String id, ConfigFields root, ConfigFields text) {
        List<String> named = root.texts("architectures");
        if (!named.isEmpty()) {
            return named.get(0);
        }
        String type = root.text("model_type").orElse("");
        return ModelTypes.architecture(type)
                .or(() -> text.texts("architectures").stream().findFirst())
                .orElseThrow(() -> InputException.unknownArchitecture("the config of " + id
                        + " has no architectures field and its model_type \"" + type
                        + "\" is not modelled; add \"architectures\" to config.json"));
    }

    /** Engines run 32-bit checkpoints in 16 bits, so that is what a float32 config means here. */
    private static DataType dtype(ConfigFields root, ConfigFields text) {
        String name = root.text("dtype")
                .or(() -> root.text("torch_dtype"))
                .or(() -> text.text("dtype"))
                .or(() -> text.text("torch_dtype"))
                .orElse("bfloat16");
        DataType type = DataType.parse(name)
                .orElseThrow(() -> InputException.unknownArchitecture(
                        "dtype \"" + name + "\" is not a known data type; expected bfloat16, float16 or float32"));
        return type == DataType.FLOAT32 || type == DataType.FLOAT64 ? DataType.BFLOAT16 : type;
    }

    private static ModelConfig.StateDtypes stateDtypes(ConfigFields text, String architecture, DataType dtype) {
        Optional<String> named = text.text("mamba_ssm_dtype").or(() -> text.text("mamba_ssm_cache_dtype"));
        DataType recurrent =
                named.flatMap(DataType::parse).orElse(architecture.startsWith("NemotronH") ? DataType.FLOAT32 : dtype);
        return new ModelConfig.StateDtypes(dtype, recurrent);
    }
}
