package dev.kvcast.model.config;

import dev.kvcast.model.InputException;
import dev.kvcast.model.Quantization;
import dev.kvcast.model.Quantization.Rule;
import dev.kvcast.model.WeightScheme;
import dev.kvcast.model.WeightScheme.Granularity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** NVIDIA ModelOpt: one algorithm for all, or one per layer ({@code MIXED_PRECISION}). */
final class ModelOptFormat {

    private ModelOptFormat() {}

    static Quantization read(ConfigFields config) {
        Optional<ConfigFields> layers = config.object("quantized_layers");
        if (layers.isPresent()) {
            return perLayer(config, layers.get());
        }
        if (config.has("config_groups")) {
            return new GroupFormats.Groups(config).quantization("modelopt");
        }
        String algorithm = config.text("quant_algo")
                .orElseThrow(
                        () -> InputException.unknownArchitecture(
                                "ModelOpt quantization_config has no quant_algo; add one, for example \"NVFP4\", to config.json"));
        return new Quantization("modelopt", scheme(algorithm, config.sizeOr(0, "group_size")), Exclusions.read(config));
    }

    private static Quantization perLayer(ConfigFields config, ConfigFields layers) {
        List<Rule> rules = new ArrayList<>(Exclusions.read(config));
        for (String module : layers.raw().keySet()) {
            layers.object(module)
                    .ifPresent(layer -> rules.add(new Rule(
                            module, scheme(layer.text("quant_algo").orElse("NONE"), layer.sizeOr(0, "group_size")))));
        }
        return new Quantization("modelopt", new WeightScheme.Original(), rules);
    }

    private static WeightScheme scheme(String algorithm, int group) {
        return switch (algorithm.toUpperCase(Locale.ROOT)) {
            case "FP8" -> new WeightScheme.EightBit(true, Granularity.TENSOR);
            case "FP8_PER_CHANNEL_PER_TOKEN" -> new WeightScheme.EightBit(true, Granularity.CHANNEL);
            case "FP8_PB_WO", "FP8_BLOCK" -> new WeightScheme.EightBit(true, Granularity.BLOCK_128);
            case "NVFP4", "W4A16_NVFP4", "NVFP4_AWQ" -> new WeightScheme.FourBitFloat(16);
            case "MXFP4", "W4A8_MXFP4_FP8" -> new WeightScheme.FourBitFloat(32);
            case "MXFP8" -> new WeightScheme.MicroscaledEightBit();
            case "W4A16_AWQ", "W4A8_AWQ", "INT4_AWQ" ->
                new WeightScheme.GroupedInt(4, group == 0 ? 128 : group, false, false);
            case "INT8_SQ", "W8A16" -> new WeightScheme.EightBit(false, Granularity.CHANNEL);
            case "NONE" -> new WeightScheme.Original();
            default ->
                throw InputException.unknownArchitecture("ModelOpt algorithm \"" + algorithm
                        + "\" is not modelled; kvcast knows FP8, FP8_PB_WO, NVFP4, MXFP4, W4A16_AWQ and INT8_SQ");
        };
    }
}
