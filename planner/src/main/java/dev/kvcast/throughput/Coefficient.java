package dev.kvcast.throughput;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is fitted. Coefficients are kept on a scale without bounds (logarithm or logit), so that any number is allowed and
 * an efficiency can never pass its limit.
 */
public enum Coefficient {
    /** Share of the memory bandwidth that matrices reach, for a hidden size of 5,120 or more on one rank. */
    WEIGHT_READ("weight_read", Scale.EFFICIENCY),
    /** Share of the memory bandwidth that attention reaches. */
    CACHE_READ("cache_read", Scale.EFFICIENCY),
    /** Share of the full tensor rate that matrices reach. */
    MATRIX_RATE("matrix_rate", Scale.EFFICIENCY),
    /** Share of the full tensor rate that attention reaches. */
    ATTENTION_RATE("attention_rate", Scale.EFFICIENCY),
    /** Seconds that one kernel adds even inside a CUDA graph. */
    KERNEL_SECONDS("kernel_seconds", Scale.POSITIVE),
    /** Power with which {@link #WEIGHT_READ} falls below a hidden size of 5,120. */
    NARROW_POWER("narrow_power", Scale.POSITIVE),
    READ_FP8("read_fp8", Scale.POSITIVE),
    READ_WEIGHT8("read_w8a16", Scale.POSITIVE),
    READ_WEIGHT4("read_w4", Scale.POSITIVE),
    READ_FP4("read_fp4", Scale.POSITIVE),
    READ_INT8("read_int8", Scale.POSITIVE),
    READ_GGUF("read_gguf", Scale.POSITIVE),
    READ_FLOAT4("read_w4f", Scale.POSITIVE),
    RATE_FP8("rate_fp8", Scale.POSITIVE),
    RATE_WEIGHT8("rate_w8a16", Scale.POSITIVE),
    RATE_WEIGHT4("rate_w4", Scale.POSITIVE),
    RATE_FP4("rate_fp4", Scale.POSITIVE),
    RATE_INT8("rate_int8", Scale.POSITIVE),
    RATE_GGUF("rate_gguf", Scale.POSITIVE),
    RATE_FLOAT4("rate_w4f", Scale.POSITIVE),
    /** Factor of {@link #WEIGHT_READ} for routed experts. */
    READ_EXPERTS("read_experts", Scale.POSITIVE),
    /** Factor of {@link #MATRIX_RATE} for routed experts, at most 1. */
    RATE_EXPERTS("rate_experts", Scale.POSITIVE),
    /** Factor of {@link #MATRIX_RATE} for the scans of recurrent layers. */
    RATE_STATE("rate_state", Scale.POSITIVE),
    /** Factor of {@link #ATTENTION_RATE} for heads wider than 256, which the common kernels do not take. */
    RATE_WIDE_HEADS("rate_wide_heads", Scale.POSITIVE),
    /** Power with which {@link #WEIGHT_READ} falls with tensor-parallel ranks. */
    SPLIT_POWER("split_power", Scale.POSITIVE),
    /** Power with which {@link #CACHE_READ} falls with tensor-parallel ranks. */
    CACHE_SPLIT_POWER("cache_split_power", Scale.POSITIVE),
    /** Seconds of a step on the host that the device waits for. */
    STEP_SECONDS("step_seconds", Scale.POSITIVE),
    /** Seconds that each sequence of a step adds on the host. */
    SEQUENCE_SECONDS("sequence_seconds", Scale.POSITIVE),
    /** Seconds the host takes to launch one kernel outside a CUDA graph. */
    LAUNCH_SECONDS("launch_seconds", Scale.POSITIVE),
    /** Share of the re-reads of a shared prefix that still reach memory when many sequences share it. */
    SHARED_READ("shared_read", Scale.SHARED),
    COLLECTIVE_NVLINK("collective_seconds_nvlink", Scale.POSITIVE),
    COLLECTIVE_P2P("collective_seconds_pcie_p2p", Scale.POSITIVE),
    COLLECTIVE_PCIE("collective_seconds_pcie", Scale.POSITIVE),
    LINK_NVLINK("link_nvlink", Scale.EFFICIENCY),
    LINK_P2P("link_pcie_p2p", Scale.EFFICIENCY),
    LINK_PCIE("link_pcie", Scale.EFFICIENCY);

    /** How the unbounded number becomes the value used. */
    private enum Scale {
        EFFICIENCY,
        POSITIVE,
        SHARED
    }

    /** No kernel has been seen to pass this share of a card's peak. */
    static final double BEST_EFFICIENCY = 0.985;

    /** Least share of re-reads; above 1/4, so that one more sequence never takes less time. */
    private static final double LEAST_SHARED_READ = 0.27;

    private static final Map<String, Coefficient> BY_LABEL = byLabel();

    private final String label;
    private final Scale scale;

    Coefficient(String label, Scale scale) {
        this.label = label;
        this.scale = scale;
    }

    /** Its place in arrays that hold a number for each coefficient. */
    @SuppressWarnings("EnumOrdinal") // the arrays are made from values(), in this order, and never stored
    public int index() {
        return ordinal();
    }

    /** The name in coefficient files. */
    public String label() {
        return label;
    }

    /** The coefficient of that label. */
    public static Optional<Coefficient> labelled(String label) {
        return Optional.ofNullable(BY_LABEL.get(label));
    }

    /** The value that a number on the fitting scale stands for. */
    public double value(double x) {
        return switch (scale) {
            case EFFICIENCY -> BEST_EFFICIENCY / (1 + Math.exp(-x));
            case POSITIVE -> Math.exp(x);
            case SHARED -> LEAST_SHARED_READ + (1 - LEAST_SHARED_READ) / (1 + Math.exp(-x));
        };
    }

    private static Map<String, Coefficient> byLabel() {
        Map<String, Coefficient> map = new HashMap<>();
        for (Coefficient coefficient : values()) {
            map.put(coefficient.label, coefficient);
        }
        return map;
    }
}
