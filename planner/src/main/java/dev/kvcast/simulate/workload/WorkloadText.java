package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;
import java.util.List;

/** Reads the words for lengths and arrivals that the command line takes. */
public final class WorkloadText {

    private WorkloadText() {}

    /**
     * A length distribution: {@code 1000}, {@code uniform:100..2000}, {@code exponential:1000} or
     * {@code lognormal:1000,500} (mean and deviation).
     *
     * @param name what is being read, for messages
     * @throws InputException for anything else
     */
    public static Lengths lengths(String name, String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? "constant" : text.substring(0, colon);
        String rest = text.substring(colon + 1);
        try {
            return switch (kind) {
                case "constant" -> new Lengths.Constant(tokens(rest));
                case "uniform" -> {
                    List<String> ends = split(rest, "..");
                    yield new Lengths.Uniform(tokens(ends.get(0)), tokens(ends.get(1)));
                }
                case "exponential" -> new Lengths.Exponential(Double.parseDouble(rest));
                case "lognormal" -> {
                    List<String> ends = split(rest, ",");
                    yield new Lengths.LogNormal(Double.parseDouble(ends.get(0)), Double.parseDouble(ends.get(1)));
                }
                default -> throw new NumberFormatException();
            };
        } catch (NumberFormatException e) {
            throw InputException.badInput(name + " '" + text + "' is no length; use 1000, uniform:100..2000,"
                            + " exponential:1000 or lognormal:1000,500 (mean,deviation)")
                    .because(e);
        }
    }

    /**
     * An arrival process: {@code poisson}, {@code constant} or {@code gamma:2} (deviation over mean).
     *
     * @throws InputException for anything else
     */
    public static Arrivals arrivals(String text, double rate) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        try {
            return switch (kind) {
                case "poisson" -> new Arrivals.Poisson(rate);
                case "constant" -> new Arrivals.Constant(rate);
                case "gamma" -> new Arrivals.Gamma(rate, Double.parseDouble(text.substring(colon + 1)));
                default -> throw new NumberFormatException();
            };
        } catch (NumberFormatException e) {
            throw InputException.badInput(
                            "--arrivals '" + text + "' is unknown; use poisson, constant or gamma:2 (deviation/mean)")
                    .because(e);
        }
    }

    private static List<String> split(String text, String separator) {
        int at = text.indexOf(separator);
        if (at < 0) {
            throw new NumberFormatException(text);
        }
        return List.of(text.substring(0, at), text.substring(at + separator.length()));
    }

    private static int tokens(String text) {
        boolean kilo = text.endsWith("K") || text.endsWith("k");
        long value = Long.parseLong(kilo ? text.substring(0, text.length() - 1) : text);
        long all = kilo ? Math.multiplyExact(value, 1024) : value;
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, all));
    }
}
