package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Methods that {@code --quantization} has taken ({@code layers/quantization/__init__.py}, 0.9 to 0.32). */
final class Quantizations {

    private static final List<String> METHODS = List.of(
            "aqlm",
            "auto-round",
            "auto_awq",
            "auto_gptq",
            "awq",
            "awq_marlin",
            "bitblas",
            "bitsandbytes",
            "compressed-tensors",
            "cpu_awq",
            "deepseek_v4_fp8",
            "deepspeedfp",
            "experts_int8",
            "fbgemm_fp8",
            "fp4",
            "fp8",
            "fp8_per_block",
            "fp8_per_channel",
            "fp8_per_tensor",
            "fp_quant",
            "gguf",
            "gpt_oss_mxfp4",
            "gptq",
            "gptq_bitblas",
            "gptq_marlin",
            "gptq_marlin_24",
            "hqq",
            "humming",
            "inc",
            "int8_per_channel_weight_only",
            "ipex",
            "marlin",
            "modelopt",
            "modelopt_fp4",
            "modelopt_mixed",
            "modelopt_mxfp8",
            "moe_wna16",
            "mxfp4",
            "mxfp8",
            "neuron_quant",
            "nvfp4",
            "nvfp4_per_token",
            "online",
            "petit_nvfp4",
            "ptpc_fp8",
            "qqq",
            "quark",
            "rtn",
            "torchao",
            "tpu_int8");

    /** Those that quantize while loading, with the scheme whose size they come to. */
    private static final Map<String, String> ON_LOAD = Map.of(
            "fp8", "fp8",
            "fp8_per_block", "fp8",
            "fp8_per_channel", "fp8",
            "fp8_per_tensor", "fp8",
            "ptpc_fp8", "fp8",
            "bitsandbytes", "bnb-4bit",
            "mxfp8", "mxfp8");

    private Quantizations() {}

    /** What the words say of quantizing while loading, as a scheme. */
    static Optional<String> onLoad(List<String> words) {
        return new VllmArgumentReader(VllmFlags.standard(), words)
                .read()
                .text("quantization")
                .map(ON_LOAD::get);
    }

    /** The method, refused when no release knows it. */
    static Optional<String> known(Optional<String> given) {
        Optional<String> method = given.map(value -> value.equals("auto_round") ? "auto-round" : value);
        if (method.isPresent() && !METHODS.contains(method.get().replace("compressed_tensors", "compressed-tensors"))) {
            throw InputException.unknownArchitecture("--quantization is '" + Printable.shortened(method.get())
                    + "'; expected one of " + String.join(", ", METHODS));
        }
        return method;
    }
}
