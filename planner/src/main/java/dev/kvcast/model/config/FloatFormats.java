package dev.kvcast.model.config;

import dev.kvcast.model.Quantization;
import dev.kvcast.model.Quantization.Rule;
import dev.kvcast.model.WeightScheme;
import dev.kvcast.model.WeightScheme.Granularity;
import java.util.ArrayList;
import java.util.List;

/** FP8, MXFP4 and bitsandbytes. */
final class FloatFormats {

    private FloatFormats() {}

    /** FP8 with one scale a tensor or a 128x128 block; DeepSeek V4 keeps its experts in 4 bits beside it. */
    static Quantization fp8(ConfigFields config, ConfigFields text) {
        List<Rule> rules = new ArrayList<>(Exclusions.read(config));
        boolean nvExperts = config.text("moe_quant_algo").orElse("").equals("NVFP4");
        if (nvExperts) {
            // The exclusions name what stays FP8 beside NVFP4 experts, not what stays 16-bit.
            rules.clear();
            rules.add(new Rule("experts", new WeightScheme.FourBitFloat(16)));
        } else if (text.text("expert_dtype").orElse("").equals("fp4")) {
            rules.add(new Rule("experts", new WeightScheme.FourBitFloat(32)));
        }
        Granularity granularity =
                config.has("weight_block_size") || nvExperts ? Granularity.BLOCK_128 : Granularity.TENSOR;
        return new Quantization("fp8", new WeightScheme.EightBit(true, granularity), rules);
    }

    static Quantization channelFp8(ConfigFields config, String method) {
        return new Quantization(method, new WeightScheme.EightBit(true, Granularity.CHANNEL), Exclusions.read(config));
    }

    /** gpt-oss: experts in MXFP4, everything else untouched. */
    static Quantization mxfp4(ConfigFields config) {
        List<Rule> rules = new ArrayList<>(Exclusions.read(config));
        rules.add(new Rule("experts", new WeightScheme.FourBitFloat(32)));
        return new Quantization("mxfp4", new WeightScheme.Original(), rules);
    }

    static Quantization bitsAndBytes(ConfigFields config) {
        boolean four = config.flag("load_in_4bit", config.flag("_load_in_4bit", false));
        WeightScheme scheme =
                four ? new WeightScheme.NormalFloat4() : new WeightScheme.EightBit(false, Granularity.CHANNEL);
        return new Quantization("bitsandbytes", scheme, Exclusions.read(config));
    }
}
