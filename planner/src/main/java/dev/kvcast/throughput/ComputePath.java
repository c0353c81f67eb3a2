package dev.kvcast.throughput;

import dev.kvcast.engine.Kernels;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.WeightScheme;
import java.util.Optional;
import java.util.OptionalDouble;

/** How a matrix is multiplied: the type its weights are stored in and the unit that takes them. */
public enum ComputePath {
    /** 16-bit weights on the 16-bit units. */
    NATIVE(Optional.empty(), Optional.empty()),
    /** FP8 weights and activations on the FP8 units. */
    FP8(Coefficient.READ_FP8, Coefficient.RATE_FP8),
    /** 8-bit weights widened on the fly (Marlin), on cards without the unit or by choice. */
    WEIGHT8(Coefficient.READ_WEIGHT8, Coefficient.RATE_WEIGHT8),
    /** 4-bit integer weights widened on the fly. */
    WEIGHT4(Coefficient.READ_WEIGHT4, Coefficient.RATE_WEIGHT4),
    /** FP4 weights and activations on the FP4 units. */
    FP4(Coefficient.READ_FP4, Coefficient.RATE_FP4),
    /** INT8 weights and activations. */
    INT8(Coefficient.READ_INT8, Coefficient.RATE_INT8),
    /** llama.cpp's block formats. */
    GGUF(Coefficient.READ_GGUF, Coefficient.RATE_GGUF),
    /** FP4 weights widened on the fly. */
    FLOAT4(Coefficient.READ_FLOAT4, Coefficient.RATE_FLOAT4);

    private final Optional<Coefficient> read;
    private final Optional<Coefficient> rate;

    ComputePath(Optional<Coefficient> read, Optional<Coefficient> rate) {
        this.read = read;
        this.rate = rate;
    }

    ComputePath(Coefficient read, Coefficient rate) {
        this(Optional.of(read), Optional.of(rate));
    }

    /** Factor of the share of bandwidth reached; empty means 1. */
    Optional<Coefficient> read() {
        return read;
    }

    /** Factor of the share of the tensor rate reached; empty means 1. */
    Optional<Coefficient> rate() {
        return rate;
    }

    /** The path that weights of a scheme take on a card. */
    static ComputePath of(WeightScheme scheme, Accelerator accelerator, Kernels.Weights kernels) {
        if (scheme instanceof WeightScheme.Original
                || scheme instanceof WeightScheme.Fixed
                || scheme instanceof WeightScheme.Absent) {
            return NATIVE;
        }
        if (kernels == Kernels.Weights.GGML) {
            return GGUF;
        }
        boolean allowed = kernels == Kernels.Weights.NATIVE;
        boolean fp8 = allowed && accelerator.compute().fp8().isPresent();
        if (scheme instanceof WeightScheme.EightBit eight) {
            return eight.floating() ? fp8 ? FP8 : WEIGHT8 : INT8;
        }
        if (scheme instanceof WeightScheme.MicroscaledEightBit) {
            return fp8 ? FP8 : WEIGHT8;
        }
        if (scheme instanceof WeightScheme.GroupedInt grouped) {
            return grouped.width() >= 8 ? WEIGHT8 : WEIGHT4;
        }
        if (scheme instanceof WeightScheme.FourBitFloat four && four.groupSize() == 16) {
            return allowed && accelerator.compute().fp4().isPresent() ? FP4 : FLOAT4;
        }
        return WEIGHT4;
    }

    /** Operations per second of the unit it runs on; the 16-bit unit's where the card has none of its own. */
    double operationsPerSecond(Accelerator.Compute compute, double native16) {
        OptionalDouble own = switch (this) {
            case FP8 -> compute.fp8();
            case FP4 -> compute.fp4();
            case INT8 -> compute.int8();
            default -> OptionalDouble.empty();
        };
        return own.orElse(native16);
    }
}
