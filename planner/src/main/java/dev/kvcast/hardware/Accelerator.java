package dev.kvcast.hardware;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One kind of accelerator, as {@code data/gpus.csv} describes it.
 *
 * @param name short name people use
 * @param aliases other spellings
 * @param vendor {@code NVIDIA}, {@code AMD}, ...
 * @param architecture generation, for example {@code Ampere}
 * @param computeCapability CUDA compute capability times 10 (86 for 8.6), 0 where there is none
 * @param marketedGigabytes size on the box
 * @param memoryBytes bytes that the driver's runtime reports in total
 * @param memoryExact whether {@code memoryBytes} was read from a machine rather than derived
 * @param bandwidthBytesPerSecond peak memory bandwidth
 * @param compute dense peak rates
 * @param linkBytesPerSecond bandwidth between cards, both directions, 0 when unknown
 * @param link kind of link
 * @param l2Bytes last-level cache, 0 when unknown
 * @param unifiedMemory whether it shares the host's memory
 * @param fullRateShare share of the tensor units' full rate that the listed rates (FP32 accumulation) are: 1/2 on GeForce
 *     cards, whose units are throttled, 1 elsewhere
 */
public record Accelerator(
        String name,
        List<String> aliases,
        String vendor,
        String architecture,
        int computeCapability,
        double marketedGigabytes,
        long memoryBytes,
        boolean memoryExact,
        double bandwidthBytesPerSecond,
        Compute compute,
        double linkBytesPerSecond,
        String link,
        long l2Bytes,
        boolean unifiedMemory,
        double fullRateShare) {

    /** Copies the list. */
    public Accelerator {
        aliases = List.copyOf(aliases);
    }

    /**
     * Dense tensor rates with FP32 accumulation, in operations per second; empty where the card has no such unit.
     */
    public record Compute(
            OptionalDouble bf16, OptionalDouble fp16, OptionalDouble fp8, OptionalDouble int8, OptionalDouble fp4) {

        /** All rates times a factor: they move with the clock together. */
        public Compute times(double factor) {
            return new Compute(
                    times(bf16, factor),
                    times(fp16, factor),
                    times(fp8, factor),
                    times(int8, factor),
                    times(fp4, factor));
        }

        private static OptionalDouble times(OptionalDouble value, double factor) {
            return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
        }
    }

    /** The same card with another reported memory. */
    public Accelerator withMemoryBytes(long bytes) {
        return new Accelerator(
                name,
                aliases,
                vendor,
                architecture,
                computeCapability,
                marketedGigabytes,
                bytes,
                true,
                bandwidthBytesPerSecond,
                compute,
                linkBytesPerSecond,
                link,
                l2Bytes,
                unifiedMemory,
                fullRateShare);
    }

    /** The same card with other peak rates, for cards run outside their specification. */
    public Accelerator withRates(double bandwidth, Compute rates) {
        return new Accelerator(
                name,
                aliases,
                vendor,
                architecture,
                computeCapability,
                marketedGigabytes,
                memoryBytes,
                memoryExact,
                bandwidth,
                rates,
                linkBytesPerSecond,
                link,
                l2Bytes,
                unifiedMemory,
                rateShare(rates));
    }

    /** The same card with its tensor units at full rate. */
    public Accelerator unthrottled() {
        return withRates(bandwidthBytesPerSecond, compute.times(1 / fullRateShare));
    }

    /** A throttle that is gone, or a higher clock, brings the rates nearer to what the units can do. */
    private double rateShare(Compute rates) {
        if (compute.bf16().isEmpty() || rates.bf16().isEmpty()) {
            return fullRateShare;
        }
        return Math.min(
                1, fullRateShare * rates.bf16().getAsDouble() / compute.bf16().getAsDouble());
    }
}
