package dev.kvcast.model;

import dev.kvcast.model.Quantization.Rule;
import dev.kvcast.model.WeightScheme.Granularity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Quantizations as people name them: {@code fp8}, {@code awq-int4}, {@code gptq-int8}, {@code w4a16}, {@code nvfp4},
 * {@code mxfp4-experts+fp8}, {@code exl3 3.5bpw}, {@code Q4_K_M}, ...
 */
public final class QuantizationNames {

    /** Inputs per scale where a name states none; the default of AutoAWQ, AutoGPTQ, AutoRound and llm-compressor. */
    private static final int USUAL_GROUP = 128;

    private static final WeightScheme ORIGINAL = new WeightScheme.Original();
    private static final Pattern BITS_PER_WEIGHT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*-?bpw");

    /**
     * Average bits of llama.cpp's mixtures over all weights of a model, embedding included ({@code llama-quantize --help},
     * measured there on Llama 3.1 8B).
     */
    private static final Map<String, Double> GGUF_BITS = Map.ofEntries(
            Map.entry("iq1_s", 1.78),
            Map.entry("iq1_m", 1.98),
            Map.entry("iq2_xxs", 2.0625),
            Map.entry("iq2_xs", 2.42),
            Map.entry("iq2_s", 2.55),
            Map.entry("iq2_m", 2.74),
            Map.entry("iq3_xxs", 3.0625),
            Map.entry("iq3_xs", 3.32),
            Map.entry("iq3_s", 3.44),
            Map.entry("iq3_m", 3.66),
            Map.entry("iq4_xs", 4.25),
            Map.entry("iq4_nl", 4.5),
            Map.entry("q2_k", 3.16),
            Map.entry("q2_k_s", 2.97),
            Map.entry("q3_k_s", 3.44),
            Map.entry("q3_k_m", 4.0),
            Map.entry("q3_k_l", 4.31),
            Map.entry("q4_0", 4.5),
            Map.entry("q4_1", 5.0),
            Map.entry("q4_k_s", 4.58),
            Map.entry("q4_k_m", 4.85),
            Map.entry("q4_k_xl", 4.95),
            Map.entry("q5_0", 5.5),
            Map.entry("q5_1", 6.0),
            Map.entry("q5_k_s", 5.54),
            Map.entry("q5_k_m", 5.69),
            Map.entry("q6_k", 6.56),
            Map.entry("q8_0", 8.5));

    private QuantizationNames() {}

    /**
     * The quantization that a name stands for, with that method's conventional exceptions.
     *
     * @throws InputException for a name kvcast does not know
     */
    public static Quantization parse(String name) {
        return parse(name, OptionalInt.empty(), OptionalDouble.empty()).withRules(conventionalExceptions());
    }

    /**
     * The quantization that a name stands for, without exceptions.
     *
     * @param groupSize inputs per scale, when known
     * @param bitsPerWeight average bits of one weight, when known; decides where the name alone does not
     */
    public static Quantization parse(String name, OptionalInt groupSize, OptionalDouble bitsPerWeight) {
        String key = key(name);
        if (isUnquantized(key)) {
            return Quantization.NONE;
        }
        if (key.contains("mxfp4") && key.contains("fp8")) {
            return new Quantization(
                    "fp8",
                    new WeightScheme.EightBit(true, Granularity.BLOCK_128),
                    List.of(new Rule("experts", new WeightScheme.FourBitFloat(32))));
        }
        return byAverage(key, bitsPerWeight)
                .or(() -> byScheme(key, groupSize, bitsPerWeight))
                .orElseThrow(() -> InputException.unknownArchitecture("quantization \"" + name
                        + "\" is not known; kvcast knows bf16, fp8, awq, gptq-int4, gptq-int8, int4-autoround, w4a16,"
                        + " w8a8-int8, nvfp4, mxfp4, mxfp8, bnb-4bit, exl3 with bpw, and GGUF types such as Q4_K_M"));
    }

    /** Whether a name is one that {@link #parse(String)} reads. */
    public static boolean known(String name) {
        try {
            parse(name);
            return true;
        } catch (InputException unknown) {
            return false;
        }
    }

    /** Whether a name says that weights keep the model's type. */
    public static boolean isUnquantized(String name) {
        return switch (key(name)) {
            case "",
                    "none",
                    "bf16",
                    "fp16",
                    "f16",
                    "16bit",
                    "bfloat16",
                    "float16",
                    "half",
                    "auto",
                    "fp32",
                    "gguf-bf16",
                    "gguf-f16" -> true;
            default -> false;
        };
    }

    /**
     * What public quantizers leave alone whatever the method: vision and audio towers, draft modules, the small
     * projections of gated delta nets, gates of shared experts. Output heads and embeddings stay by default.
     */
    public static List<Rule> conventionalExceptions() {
        List<Rule> rules = new ArrayList<>(frontEnd());
        for (String module : new String[] {
            "mtp",
            "eh_proj",
            "shared_expert_gate",
            "linear_attn.in_proj_a",
            "linear_attn.in_proj_b",
            "linear_attn.in_proj_ba"
        }) {
            rules.add(new Rule(module, ORIGINAL));
        }
        return rules;
    }

    /** Vision and audio towers with their projectors. */
    public static List<Rule> frontEnd() {
        List<Rule> rules = new ArrayList<>();
        for (String module : new String[] {
            "visual",
            "vision_tower",
            "vision_model",
            "vision_embedder",
            "embed_vision",
            "multi_modal_projector",
            "mm_projector",
            "audio_tower",
            "embed_audio",
            "vision_encoder",
            "vision_adapter"
        }) {
            rules.add(new Rule(module, ORIGINAL));
        }
        return rules;
    }

    private static String key(String name) {
        return name.trim().toLowerCase(Locale.ROOT).replace(' ', '-').replace("ud-", "");
    }

    /** Formats known only by their average size. */
    private static Optional<Quantization> byAverage(String key, OptionalDouble bitsPerWeight) {
        String gguf = key.startsWith("gguf-") ? key.substring("gguf-".length()) : key;
        Double mixture = GGUF_BITS.get(gguf);
        if (mixture != null || key.startsWith("gguf")) {
            double bits = bitsPerWeight.orElse(mixture == null ? 0 : mixture);
            if (bits <= 0) {
                throw InputException.unknownArchitecture(
                        "quantization \"" + key + "\" does not say which GGUF type; give one such as gguf-q4_k_m");
            }
            WeightScheme scheme = new WeightScheme.Average(bits);
            return Optional.of(new Quantization(
                    "gguf", scheme, List.of(new Rule("embed_tokens", scheme), new Rule("lm_head", scheme))));
        }
        if (key.startsWith("exl2") || key.startsWith("exl3") || key.endsWith("bpw")) {
            Matcher stated = BITS_PER_WEIGHT.matcher(key);
            double bits = stated.find() ? Double.parseDouble(stated.group(1)) : bitsPerWeight.orElse(4.0);
            return Optional.of(new Quantization("exl3", new WeightScheme.Average(bits), List.of()));
        }
        return Optional.empty();
    }

    private static Optional<Quantization> byScheme(String key, OptionalInt groupSize, OptionalDouble bitsPerWeight) {
        boolean eight = bitsPerWeight.orElse(0) > 8
                || key.contains("int8")
                || key.contains("8bit")
                || key.contains("8-bit")
                || key.contains("w8a16");
        int width = eight ? 8 : 4;
        int group = groupSize.orElse(USUAL_GROUP);
        WeightScheme scheme;
        if (key.contains("nvfp4")) {
            scheme = new WeightScheme.FourBitFloat(16);
        } else if (key.contains("mxfp4")) {
            boolean all = key.contains("all") || groupSize.isPresent();
            return Optional.of(all ? of("mxfp4", new WeightScheme.FourBitFloat(32)) : mxfp4Experts());
        } else if (key.contains("mxfp8")) {
            scheme = new WeightScheme.MicroscaledEightBit();
        } else if (key.contains("bnb") || key.contains("bitsandbytes") || key.equals("nf4")) {
            scheme = eight ? new WeightScheme.EightBit(false, Granularity.CHANNEL) : new WeightScheme.NormalFloat4();
        } else if (key.contains("fp8") || key.contains("f8")) {
            boolean block = key.contains("block");
            scheme = new WeightScheme.EightBit(true, block ? Granularity.BLOCK_128 : Granularity.CHANNEL);
        } else if (key.contains("w8a8") || key.equals("int8") || key.equals("smoothquant")) {
            scheme = new WeightScheme.EightBit(false, Granularity.CHANNEL);
        } else if (key.contains("awq")) {
            scheme = new WeightScheme.GroupedInt(width, group, true, false);
        } else if (key.contains("gptq")
                || key.contains("round")
                || key.contains("w4a16")
                || key.contains("w8a16")
                || key.contains("w4a8")
                || key.contains("int4")
                || key.contains("4bit")
                || key.contains("8bit")
                || key.contains("torchao")
                || key.contains("qat")) {
            scheme = new WeightScheme.GroupedInt(width, group, false, false);
        } else {
            return Optional.empty();
        }
        return Optional.of(of(key, scheme));
    }

    private static Quantization of(String method, WeightScheme scheme) {
        return new Quantization(method, scheme, List.of());
    }

    /** MXFP4 alone means gpt-oss's way: experts only. */
    private static Quantization mxfp4Experts() {
        return new Quantization("mxfp4", ORIGINAL, List.of(new Rule("experts", new WeightScheme.FourBitFloat(32))));
    }
}
