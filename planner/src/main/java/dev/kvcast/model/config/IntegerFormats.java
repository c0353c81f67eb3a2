package dev.kvcast.model.config;

import dev.kvcast.model.InputException;
import dev.kvcast.model.Quantization;
import dev.kvcast.model.Quantization.Rule;
import dev.kvcast.model.WeightScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Integer weights in groups: AWQ, GPTQ and AutoRound. */
final class IntegerFormats {

    private IntegerFormats() {}

    static Quantization awq(ConfigFields config) {
        int bits = config.sizeOr(4, "bits", "w_bit");
        boolean zeros = config.flag("zero_point", true);
        return new Quantization(
                "awq", new WeightScheme.GroupedInt(bits, group(config, 128), zeros, false), Exclusions.read(config));
    }

    static Quantization gptq(ConfigFields config) {
        int bits = config.size("bits");
        int group = group(config, 128);
        boolean zeros = !config.flag("sym", true);
        boolean actOrder = config.flag("desc_act", false);
        WeightScheme scheme = new WeightScheme.GroupedInt(bits, group, zeros, actOrder);
        List<Rule> rules = new ArrayList<>(Exclusions.read(config));
        config.object("dynamic")
                .ifPresent(dynamic -> dynamic.raw().forEach((pattern, override) -> {
                    // "-:regex" leaves modules alone, "+:regex" (or none) changes their bits.
                    String regex = "re:" + pattern.replaceFirst("^[+-]:", "");
                    rules.add(new Rule(
                            regex,
                            pattern.startsWith("-:")
                                    ? new WeightScheme.Original()
                                    : overridden(override, bits, group, zeros, actOrder)));
                }));
        if (config.flag("lm_head", false)) {
            rules.add(new Rule("lm_head", scheme));
        }
        return new Quantization("gptq", scheme, rules);
    }

    static Quantization autoRound(ConfigFields config) {
        int bits = config.size("bits");
        int group = group(config, 128);
        boolean zeros = !config.flag("sym", true);
        WeightScheme scheme = config.text("data_type").orElse("int").startsWith("mx")
                ? new WeightScheme.FourBitFloat(32)
                : config.text("data_type").orElse("int").startsWith("nv")
                        ? new WeightScheme.FourBitFloat(16)
                        : new WeightScheme.GroupedInt(bits, group, zeros, false);
        List<Rule> rules = new ArrayList<>(Exclusions.read(config));
        config.object("extra_config")
                .ifPresent(extra -> extra.raw().forEach((name, override) -> {
                    String pattern = name.contains("*") && name.startsWith(".") ? "re:" + name : name;
                    rules.add(new Rule(pattern, overridden(override, bits, group, zeros, false)));
                }));
        return new Quantization("auto-round", scheme, rules);
    }

    @SuppressWarnings("unchecked") // JSON object keys are strings
    private static WeightScheme overridden(Object override, int bits, int group, boolean zeros, boolean actOrder) {
        if (!(override instanceof Map<?, ?> map)) {
            return new WeightScheme.Original();
        }
        ConfigFields fields = new ConfigFields((Map<String, Object>) map);
        int own = fields.sizeOr(bits, "bits");
        if (own >= 16) {
            return new WeightScheme.Original();
        }
        int ownGroup = fields.has("group_size") ? group(fields, group) : group;
        return new WeightScheme.GroupedInt(
                own, ownGroup, fields.has("sym") ? !fields.flag("sym", true) : zeros, actOrder);
    }

    /** Inputs per scale; -1 in a config means one scale a row, which kvcast writes 0. */
    static int group(ConfigFields config, int fallback) {
        double group = config.number(config.has("q_group_size") ? "q_group_size" : "group_size", fallback);
        if (group > 1 << 20 || group != Math.rint(group)) {
            throw InputException.badInput(
                    "quantization group_size is " + group + "; expected -1 or a size such as 128");
        }
        return Math.max(0, (int) group);
    }
}
