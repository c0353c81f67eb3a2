package dev.kvcast.model.config;

import dev.kvcast.model.InputException;
import dev.kvcast.model.Quantization;
import dev.kvcast.model.WeightScheme;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads {@code quantization_config} of every kind that vLLM 0.32 loads ({@code model_executor/layers/quantization}), and
 * the KV-cache type that a checkpoint asks for.
 */
final class QuantizationReader {

    private QuantizationReader() {}

    /**
     * What a config says about storage.
     *
     * @param quantization how weights are stored
     * @param kvCacheDtype the KV-cache type that {@code auto} becomes, if the checkpoint sets one
     */
    record Result(Quantization quantization, Optional<String> kvCacheDtype) {}

    /** Reads whatever the outer or the text config holds. */
    static Result read(ConfigFields root, ConfigFields text) {
        Optional<ConfigFields> found = root.object("quantization_config")
                .or(() -> root.object("compression_config"))
                .or(() -> text.object("quantization_config"))
                .or(() -> root.object("hf_quant_config"));
        if (found.isEmpty()) {
            return new Result(Quantization.NONE, Optional.empty());
        }
        // ModelOpt's separate file nests everything once more.
        ConfigFields config = found.get().object("quantization").orElse(found.get());
        return new Result(quantization(config, text), kvCacheDtype(config));
    }

    private static Quantization quantization(ConfigFields config, ConfigFields text) {
        String method = method(config);
        return switch (method) {
            case "awq", "awq_marlin" -> IntegerFormats.awq(config);
            case "gptq", "gptq_marlin" -> IntegerFormats.gptq(config);
            case "auto-round", "autoround", "intel/auto-round", "inc" -> IntegerFormats.autoRound(config);
            case "compressed-tensors", "compressed_tensors" -> GroupFormats.compressedTensors(config);
            case "fp8", "deepseek_v4_fp8" -> FloatFormats.fp8(config, text);
            case "fbgemm_fp8" -> FloatFormats.channelFp8(config, method);
            case "ptpc_fp8" -> FloatFormats.channelFp8(config, method);
            case "modelopt", "modelopt_fp4", "modelopt_mixed", "nvfp4" -> ModelOptFormat.read(config);
            case "mxfp4", "gpt_oss_mxfp4" -> FloatFormats.mxfp4(config);
            case "bitsandbytes" -> FloatFormats.bitsAndBytes(config);
            case "quark" -> GroupFormats.quark(config);
            case "torchao" -> GroupFormats.torchAo(config);
            case "exl3", "exl2" ->
                new Quantization(method, new WeightScheme.Average(config.number("bits", 4)), List.of());
            case "experts_int8" ->
                new Quantization(
                        method,
                        new WeightScheme.Original(),
                        List.of(new Quantization.Rule(
                                "experts", new WeightScheme.EightBit(false, WeightScheme.Granularity.CHANNEL))));
            case "w8a8_int8", "int8" ->
                new Quantization(
                        method,
                        new WeightScheme.EightBit(false, WeightScheme.Granularity.CHANNEL),
                        Exclusions.read(config));
            default ->
                throw InputException.unknownArchitecture("quantization method \"" + method
                        + "\" is not modelled; kvcast knows awq, gptq, auto-round, compressed-tensors, fp8, modelopt, nvfp4,"
                        + " mxfp4, bitsandbytes, quark, torchao, exl3");
        };
    }

    private static String method(ConfigFields config) {
        Optional<String> named = config.text("quant_method");
        if (named.isPresent() && !named.get().isEmpty()) {
            String method = named.get().toLowerCase(Locale.ROOT);
            boolean mixed = config.text("quant_algo").orElse("").equals("MIXED_PRECISION");
            return mixed && config.has("quantized_layers") && !method.equals("fp8") ? "modelopt" : method;
        }
        boolean modelOpt = config.has("quant_algo")
                || config.object("producer")
                        .flatMap(producer -> producer.text("name"))
                        .orElse("")
                        .equals("modelopt");
        if (modelOpt) {
            return "modelopt";
        }
        if (config.has("config_groups")) {
            return "compressed-tensors";
        }
        throw InputException.unknownArchitecture(
                "quantization_config has no quant_method; add one, for example \"fp8\", to config.json");
    }

    private static Optional<String> kvCacheDtype(ConfigFields config) {
        Object scheme = config.raw().get("kv_cache_scheme");
        if (scheme instanceof String name) {
            return kvName(name);
        }
        Optional<ConfigFields> fields = config.object("kv_cache_scheme");
        if (fields.isPresent()) {
            int bits = fields.get().sizeOr(8, "num_bits");
            return Optional.of(bits == 4 ? "nvfp4" : "fp8");
        }
        return config.text("kv_cache_quant_algo").flatMap(QuantizationReader::kvName);
    }

    private static Optional<String> kvName(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "FP8", "FP8_E4M3" -> Optional.of("fp8");
            case "NVFP4" -> Optional.of("nvfp4");
            case "", "NONE", "AUTO" -> Optional.empty();
            default ->
                throw InputException.unknownArchitecture("the checkpoint asks for a KV cache of type \"" + name
                        + "\", which is not modelled; pass --kv-cache-dtype to override it");
        };
    }
}
