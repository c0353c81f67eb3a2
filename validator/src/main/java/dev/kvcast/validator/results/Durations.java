package dev.kvcast.validator.results;

import java.util.Locale;

/** Times whose unit stands beside them. */
final class Durations {

    private Durations() {}

    /** The value of {@code field} in milliseconds, by the text in {@code unit}. */
    static double millis(Fields metric, String field) {
        double value = metric.required(field);
        String unit = metric.requiredText("unit");
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ns", "nanoseconds" -> value / 1e6;
            case "us", "µs", "microseconds" -> value / 1e3;
            case "ms", "milliseconds" -> value;
            case "s", "sec", "seconds" -> value * 1e3;
            default -> throw metric.wrong("unit", unit, "ns, us, ms or s");
        };
    }
}
