package dev.kvcast.engine.vllm;

import dev.kvcast.model.DataType;
import dev.kvcast.model.InputException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Data types as vLLM's flags name them. */
final class DtypeText {

    private static final List<String> WEIGHTS = List.of("auto", "half", "float16", "bfloat16", "float", "float32");
    private static final List<String> STATES = List.of("auto", "float32", "float16", "bfloat16");

    private static final List<String> KV_CACHE = List.of(
            "auto",
            "float16",
            "bfloat16",
            "fp8",
            "fp8_e4m3",
            "fp8_e5m2",
            "fp8_inc",
            "fp8_ds_mla",
            "nvfp4_ds_mla",
            "turboquant_k8v4",
            "turboquant_4bit_nc",
            "turboquant_k3v4_nc",
            "turboquant_3bit_nc",
            "ultraquant_4bit",
            "int4_per_token_head",
            "int8_per_token_head",
            "fp8_per_token_head",
            "nvfp4",
            "nvfp4_4over6");

    private DtypeText() {}

    /** {@code --dtype}. */
    static Optional<DataType> weights(VllmArguments arguments) {
        return arguments.choice("dtype", WEIGHTS).flatMap(DataType::parse);
    }

    /** {@code --mamba-cache-dtype} and {@code --mamba-ssm-cache-dtype}. */
    static Optional<DataType> state(VllmArguments arguments, String flag) {
        return arguments.choice(flag, STATES).flatMap(DataType::parse);
    }

    /** {@code --kv-cache-dtype} in vLLM's spelling; other spellings that people note are taken with a warning. */
    static String kvCache(Optional<String> given, List<String> warnings) {
        String value = given.orElse("auto");
        if (KV_CACHE.contains(value)) {
            return value;
        }
        int note = value.indexOf('(');
        String word = (note > 0 ? value.substring(0, note) : value).strip().toLowerCase(Locale.ROOT);
        String meant = switch (word) {
            case "bf16" -> "bfloat16";
            case "fp16", "half" -> "float16";
            case "int8" -> "int8_per_token_head";
            case "int4" -> "int4_per_token_head";
            case "e4m3", "fp8_e4m3fn" -> "fp8_e4m3";
            case "e5m2" -> "fp8_e5m2";
            default -> word;
        };
        if (!KV_CACHE.contains(meant)) {
            throw InputException.unknownArchitecture("--kv-cache-dtype is '" + Printable.shortened(value)
                    + "'; expected one of " + String.join(", ", KV_CACHE));
        }
        warnings.add("--kv-cache-dtype '" + Printable.shortened(value) + "' was read as " + meant);
        return meant;
    }
}
