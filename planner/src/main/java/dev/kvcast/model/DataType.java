package dev.kvcast.model;

import java.util.Locale;
import java.util.Optional;

/**
 * A numeric type of tensors, with its width in bits. Names follow the Hugging Face {@code dtype} and safetensors
 * {@code dtype} fields; both spellings are accepted.
 */
public enum DataType {
    FLOAT64(64),
    FLOAT32(32),
    BFLOAT16(16),
    FLOAT16(16),
    FLOAT8(8),
    INT64(64),
    INT32(32),
    INT16(16),
    INT8(8),
    FLOAT4(4);

    private final int bits;

    DataType(int bits) {
        this.bits = bits;
    }

    /** Width of one element in bits. */
    public int bits() {
        return bits;
    }

    /** Bytes of {@code elements} elements, rounded up to a whole byte. */
    public long bytes(long elements) {
        return Math.addExact(Math.multiplyExact(elements, bits), 7) / 8;
    }

    /** The type a config, flag or safetensors header names ({@code bfloat16}, {@code BF16}, {@code half}, ...). */
    public static Optional<DataType> parse(String name) {
        String key = name.startsWith("torch.") ? name.substring("torch.".length()) : name;
        return switch (key.toLowerCase(Locale.ROOT)) {
            case "float64", "f64", "double" -> Optional.of(FLOAT64);
            case "float32", "f32", "float", "fp32" -> Optional.of(FLOAT32);
            case "bfloat16", "bf16" -> Optional.of(BFLOAT16);
            case "float16", "f16", "half", "fp16" -> Optional.of(FLOAT16);
            case "float8_e4m3fn",
                    "float8_e5m2",
                    "f8_e4m3",
                    "f8_e5m2",
                    "f8_e8m0",
                    "float8",
                    "fp8",
                    "fp8_e4m3",
                    "fp8_e5m2" -> Optional.of(FLOAT8);
            case "int64", "i64", "u64" -> Optional.of(INT64);
            case "int32", "i32", "u32" -> Optional.of(INT32);
            case "int16", "i16", "u16" -> Optional.of(INT16);
            case "int8", "i8", "uint8", "u8", "bool" -> Optional.of(INT8);
            case "f4", "float4_e2m1fn_x2", "fp4" -> Optional.of(FLOAT4);
            default -> Optional.empty();
        };
    }
}
