package dev.kvcast.throughput;

import dev.kvcast.hardware.Accelerator;
import java.util.Optional;
import java.util.Set;

/** Kinds of accelerators whose kernels reach like shares of their peak. */
public enum DeviceClass {
    HBM("hbm"),
    GDDR("gddr"),
    UNIFIED("unified"),
    AMD_HBM("amd_hbm"),
    AMD_GDDR("amd_gddr"),
    AMD_UNIFIED("amd_unified"),
    INTEL("intel"),
    APPLE("apple");

    /** Compute capabilities (times 10) of NVIDIA's data-centre chips, which alone carry stacked memory. */
    private static final Set<Integer> STACKED = Set.of(60, 70, 80, 90, 100, 103);

    private final String label;

    DeviceClass(String label) {
        this.label = label;
    }

    /** The name in coefficient files. */
    public String label() {
        return label;
    }

    /** The class of that label. */
    public static Optional<DeviceClass> labelled(String label) {
        for (DeviceClass kind : values()) {
            if (kind.label.equals(label)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** The class of a card. */
    public static DeviceClass of(Accelerator accelerator) {
        boolean unified = accelerator.unifiedMemory();
        return switch (accelerator.vendor()) {
            case "Apple" -> APPLE;
            case "Intel" -> INTEL;
            case "AMD" -> unified ? AMD_UNIFIED : accelerator.architecture().startsWith("CDNA") ? AMD_HBM : AMD_GDDR;
            default -> unified ? UNIFIED : STACKED.contains(accelerator.computeCapability()) ? HBM : GDDR;
        };
    }
}
