package dev.kvcast.engine.vllm;

import dev.kvcast.model.DataType;
import dev.kvcast.model.InputException;
import java.util.Locale;
import java.util.Optional;

/**
 * KV-cache element types of vLLM and what one key or value head costs in each. Sources: {@code config/cache.py}
 * (names), {@code v1/attention/backends/{triton_attn,turboquant_attn,ultraquant_attn}.py} and
 * {@code layers/quantization/turboquant/config.py} (packed widths), {@code utils/torch_utils.py} (NVFP4).
 */
public enum KvCacheDtype {
    FLOAT32("float32", 32, Packing.DENSE),
    BFLOAT16("bfloat16", 16, Packing.DENSE),
    FLOAT16("float16", 16, Packing.DENSE),
    FP8("fp8", 8, Packing.DENSE),
    FP8_PER_TOKEN_HEAD("fp8_per_token_head", 8, Packing.SCALED_PER_TOKEN),
    INT8_PER_TOKEN_HEAD("int8_per_token_head", 8, Packing.SCALED_PER_TOKEN),
    INT4_PER_TOKEN_HEAD("int4_per_token_head", 4, Packing.SCALED_PER_TOKEN),
    NVFP4("nvfp4", 4, Packing.BLOCK_SCALED),
    TURBOQUANT_K8V4("turboquant_k8v4", 4, Packing.TURBOQUANT),
    TURBOQUANT_4BIT_NC("turboquant_4bit_nc", 4, Packing.TURBOQUANT),
    TURBOQUANT_K3V4_NC("turboquant_k3v4_nc", 4, Packing.TURBOQUANT),
    TURBOQUANT_3BIT_NC("turboquant_3bit_nc", 3, Packing.TURBOQUANT),
    FP8_DS_MLA("fp8_ds_mla", 8, Packing.OPAQUE_LATENT),
    NVFP4_DS_MLA("nvfp4_ds_mla", 4, Packing.OPAQUE_LATENT);

    /** How a slot is laid out. */
    private enum Packing {
        DENSE,
        SCALED_PER_TOKEN,
        BLOCK_SCALED,
        TURBOQUANT,
        OPAQUE_LATENT
    }

    /** Bytes of one token's latent in the two packed MLA layouts ({@code mla_attention.py}). */
    private static final long FP8_DS_MLA_BYTES = 656;

    private static final long NVFP4_DS_MLA_BYTES = 352;

    private final String flag;
    private final int bits;
    private final Packing packing;

    KvCacheDtype(String flag, int bits, Packing packing) {
        this.flag = flag;
        this.bits = bits;
        this.packing = packing;
    }

    /** The value of {@code --kv-cache-dtype} that names it. */
    public String flag() {
        return flag;
    }

    /** Bits of one stored element, scales aside. */
    public int bits() {
        return bits;
    }

    /** Whether it is one of the mixed-width packed formats that keep some layers unquantized on dense models. */
    public boolean turboQuant() {
        return packing == Packing.TURBOQUANT;
    }

    /** The type that {@code auto} stands for. */
    public static KvCacheDtype ofModel(DataType dtype) {
        return switch (dtype) {
            case FLOAT32 -> FLOAT32;
            case FLOAT16 -> FLOAT16;
            default -> BFLOAT16;
        };
    }

    /**
     * The type a flag value names; empty for {@code auto}.
     *
     * @throws InputException for a value no vLLM version knows
     */
    public static Optional<KvCacheDtype> parse(String value) {
        String key = value.toLowerCase(Locale.ROOT);
        return switch (key) {
            case "auto" -> Optional.empty();
            case "bf16" -> Optional.of(BFLOAT16);
            case "fp16", "half" -> Optional.of(FLOAT16);
            case "float", "fp32" -> Optional.of(FLOAT32);
            case "fp8_e4m3", "fp8_e5m2", "fp8_inc" -> Optional.of(FP8);
            case "nvfp4_4over6" -> Optional.of(NVFP4);
            default -> Optional.of(named(key, value));
        };
    }

    private static KvCacheDtype named(String key, String value) {
        for (KvCacheDtype dtype : values()) {
            if (dtype.flag.equals(key)) {
                return dtype;
            }
        }
        throw InputException.unsupported("KV-cache dtype '" + value
                + "' is unknown; use auto, bfloat16, float16, fp8, fp8_per_token_head, int8_per_token_head, "
                + "int4_per_token_head, nvfp4, turboquant_*, fp8_ds_mla or nvfp4_ds_mla");
    }

    /**
     * Bytes of one token's keys and values in one head.
     *
     * @param keyDim elements of the key head
     * @param valueDim elements of the value head, 0 where values are not stored apart
     */
    public long headBytes(int keyDim, int valueDim) {
        return switch (packing) {
            case DENSE -> (long) (keyDim + valueDim) * bits / 8;
            case SCALED_PER_TOKEN -> (long) keyDim * bits / 8 + (long) valueDim * bits / 8 + 2 * Float.BYTES;
            case BLOCK_SCALED -> blockScaled(keyDim) + blockScaled(valueDim);
            case TURBOQUANT -> evenUp(turboKey(keyDim) + turboValue(valueDim));
            case OPAQUE_LATENT -> this == FP8_DS_MLA ? FP8_DS_MLA_BYTES : NVFP4_DS_MLA_BYTES;
        };
    }

    private static long blockScaled(int dim) {
        return dim / 2L + dim / 16L;
    }

    private long turboKey(int dim) {
        return switch (this) {
            case TURBOQUANT_K8V4 -> dim;
            case TURBOQUANT_4BIT_NC -> ceilDiv(4L * dim, 8) + 2;
            default -> ceilDiv(3L * dim, 8) + 2;
        };
    }

    private long turboValue(int dim) {
        return ceilDiv((this == TURBOQUANT_3BIT_NC ? 3L : 4L) * dim, 8) + 4;
    }

    private static long evenUp(long bytes) {
        return bytes + bytes % 2;
    }

    private static long ceilDiv(long value, long divisor) {
        return (value + divisor - 1) / divisor;
    }
}
