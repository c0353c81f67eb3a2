package dev.kvcast.model.config;

import dev.kvcast.model.InputException;
import dev.kvcast.model.Quantization;
import dev.kvcast.model.Quantization.Rule;
import dev.kvcast.model.WeightScheme;
import dev.kvcast.model.WeightScheme.Granularity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Formats that describe groups of modules: compressed-tensors, Quark and torchao. */
final class GroupFormats {

    private GroupFormats() {}

    static Quantization compressedTensors(ConfigFields config) {
        return new Groups(config).quantization("compressed-tensors");
    }

    /** Config groups with targets, and a list of modules to leave alone. */
    static final class Groups {
        private final List<Rule> rules = new ArrayList<>();
        private WeightScheme scheme = new WeightScheme.Original();

        Groups(ConfigFields config) {
            rules.addAll(Exclusions.read(config));
            ConfigFields groups = config.object("config_groups")
                    .orElseThrow(() ->
                            InputException.badInput("quantization_config has no config_groups; check config.json"));
            for (String name : groups.raw().keySet()) {
                groups.object(name).ifPresent(this::add);
            }
        }

        private void add(ConfigFields group) {
            Optional<ConfigFields> weights = group.object("weights");
            if (weights.isEmpty()) {
                return;
            }
            WeightScheme own = weightScheme(
                    weights.get(), group.object("input_activations").isPresent());
            List<String> targets = group.isList("targets") ? group.texts("targets") : List.of("Linear");
            boolean abbreviated = group.has("targets_count") && group.sizeOr(0, "targets_count") > targets.size();
            for (String target : abbreviated ? Exclusions.overAllLayers(targets) : targets) {
                if (isClassName(target)) {
                    scheme = own;
                } else {
                    rules.add(new Rule(target, own));
                }
            }
        }

        private static boolean isClassName(String target) {
            return switch (target) {
                case "Linear", "FusedMoE", "MoE", "LinearBase" -> true;
                default -> target.endsWith("Experts") || target.endsWith("Linear");
            };
        }

        Quantization quantization(String method) {
            return new Quantization(method, scheme, rules);
        }
    }

    /** The scheme of a {@code weights} object. */
    static WeightScheme weightScheme(ConfigFields weights, boolean quantizedInputs) {
        int bits = weights.size("num_bits");
        String strategy = weights.text("strategy").orElse(weights.has("group_size") ? "group" : "tensor");
        int group = weights.has("group_size") ? IntegerFormats.group(weights, 0) : 0;
        boolean floating = weights.text("type").orElse("int").startsWith("float");
        if (floating && bits == 8) {
            return new WeightScheme.EightBit(true, granularity(strategy));
        }
        if (floating && bits == 4) {
            return new WeightScheme.FourBitFloat(group == 0 ? 16 : group);
        }
        if (!floating && bits == 8 && quantizedInputs) {
            return new WeightScheme.EightBit(false, granularity(strategy));
        }
        if (!floating && bits <= 8) {
            return new WeightScheme.GroupedInt(bits, group, !weights.flag("symmetric", true), false);
        }
        throw InputException.unknownArchitecture("quantization_config asks for " + bits + "-bit "
                + (floating ? "float" : "int") + " weights, which is not modelled; kvcast knows 4 and 8 bits");
    }

    private static Granularity granularity(String strategy) {
        return switch (strategy) {
            case "channel" -> Granularity.CHANNEL;
            case "block", "group" -> Granularity.BLOCK_128;
            default -> Granularity.TENSOR;
        };
    }

    static Quantization quark(ConfigFields config) {
        ConfigFields global = config.object("global_quant_config")
                .orElseThrow(() -> InputException.badInput(
                        "quantization_config of method quark has no global_quant_config; check config.json"));
        List<Rule> rules = new ArrayList<>(Exclusions.read(config));
        config.object("layer_quant_config")
                .ifPresent(layers -> layers.raw()
                        .keySet()
                        .forEach(pattern -> layers.object(pattern)
                                .flatMap(layer -> layer.object("weight"))
                                .ifPresent(weight -> rules.add(new Rule(pattern, quarkScheme(weight))))));
        WeightScheme scheme =
                global.object("weight").map(GroupFormats::quarkScheme).orElse(new WeightScheme.Original());
        return new Quantization("quark", scheme, rules);
    }

    private static WeightScheme quarkScheme(ConfigFields weight) {
        String type = weight.text("dtype").orElse("").toLowerCase(Locale.ROOT);
        String scheme = weight.text("qscheme").orElse("per_tensor");
        int group = weight.has("group_size") ? IntegerFormats.group(weight, 0) : 0;
        Granularity granularity = scheme.equals("per_channel") ? Granularity.CHANNEL : Granularity.TENSOR;
        if (type.startsWith("fp8")) {
            return new WeightScheme.EightBit(true, granularity);
        }
        if (type.equals("int8")) {
            return new WeightScheme.EightBit(false, granularity);
        }
        if (type.startsWith("fp4") || type.startsWith("mx_fp4") || type.equals("mx")) {
            return new WeightScheme.FourBitFloat(group == 0 ? 32 : group);
        }
        if (type.equals("int4") || type.equals("uint4")) {
            return new WeightScheme.GroupedInt(4, group, type.equals("uint4"), false);
        }
        throw InputException.unknownArchitecture(
                "quark weights of type \"" + type + "\" are not modelled; kvcast knows fp8, int8, fp4 and int4");
    }

    /** torchao names its scheme by class. */
    static Quantization torchAo(ConfigFields config) {
        String described = String.valueOf(config.raw().get("quant_type"));
        String type = described.toLowerCase(Locale.ROOT);
        WeightScheme scheme;
        if (type.contains("int4") || type.contains("uintx")) {
            scheme = new WeightScheme.GroupedInt(4, torchAoGroup(config), true, false);
        } else if (type.contains("float8")) {
            scheme =
                    new WeightScheme.EightBit(true, type.contains("perrow") ? Granularity.CHANNEL : Granularity.TENSOR);
        } else if (type.contains("int8")) {
            scheme = new WeightScheme.EightBit(false, Granularity.CHANNEL);
        } else {
            throw InputException.unknownArchitecture("torchao quant_type "
                    + (described.length() > 60 ? described.substring(0, 60) + "..." : described)
                    + " is not modelled; kvcast knows its int4, int8 and float8 kinds");
        }
        return new Quantization("torchao", scheme, Exclusions.read(config));
    }

    private static int torchAoGroup(ConfigFields config) {
        Object type = config.raw().get("quant_type");
        if (type instanceof Map<?, ?> map
                && map.get("default") instanceof Map<?, ?> named
                && named.get("_data") instanceof Map<?, ?> data
                && data.get("group_size") instanceof Number group) {
            return Math.max(0, group.intValue());
        }
        return 128;
    }
}
