package dev.kvcast.validator.results;

import dev.kvcast.report.Units;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Finds what cannot be right in a run, one line for each problem. A fit takes every number at its word, so a run with a
 * problem is not used at all.
 */
public final class RunChecks {

    /** How far two numbers of one cell may contradict each other; units are a factor of a thousand apart. */
    private static final double CONTRADICTION = 3;

    /** Prompts below this take as long to send as to process, and their rate says little. */
    private static final long SHORT_PROMPT = 2048;

    private RunChecks() {}

    /** Fastest that a deployment could possibly generate. */
    @FunctionalInterface
    public interface RateLimit {

        /**
         * Output tokens per second of all requests that reading the weights once a step allows.
         *
         * @param concurrency requests at once
         */
        double tokensPerSecond(int concurrency);
    }

    /** Problems that the run shows by itself: zeros, NaN, repeated cells, numbers that contradict each other. */
    public static List<String> problems(MeasuredRun run) {
        List<String> problems = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (MeasuredCell cell : run.cells()) {
            if (!seen.add(cell.label())) {
                problems.add(cell.label() + " is there twice; keep one of them");
            }
            if (cell.valid()) {
                problems.addAll(problems(cell));
            }
        }
        return problems;
    }

    /** Cells that generate faster than reading the weights allows; speculative decoding has no such limit. */
    public static List<String> beyond(MeasuredRun run, RateLimit limit) {
        List<String> problems = new ArrayList<>();
        if (run.settings().speculative().isPresent()) {
            return problems;
        }
        for (Decode cell : run.decodes()) {
            OptionalDouble rate = cell.decodeTokensPerSecond();
            double most = limit.tokensPerSecond(cell.concurrency());
            if (cell.valid() && rate.isPresent() && rate.getAsDouble() > most) {
                problems.add(cell.label() + ": " + fixed(rate.getAsDouble())
                        + " tok/s, but reading the weights from memory allows " + fixed(most)
                        + "; check the unit, the card and the model");
            }
        }
        return problems;
    }

    /**
     * Whether enough cells were measured.
     *
     * @param decodes fewest valid decode cells
     * @param prefills fewest valid prefill cells
     */
    public static List<String> tooFew(MeasuredRun run, int decodes, int prefills) {
        List<String> problems = new ArrayList<>();
        long measured = run.decodes().stream()
                .filter(cell -> cell.valid() && cell.decodeTokensPerSecond().isPresent())
                .count();
        if (measured < decodes) {
            problems.add("has " + measured + " usable decode cells; expected " + decodes + " or more");
        }
        long prompts = run.prefills().stream().filter(MeasuredCell::valid).count();
        if (prompts < prefills) {
            problems.add("has " + prompts + " usable prefill cells; expected " + prefills + " or more");
        }
        return problems;
    }

    private static List<String> problems(MeasuredCell cell) {
        List<String> problems = new ArrayList<>();
        positive(problems, cell, "tok/s", cell.speed().tokensPerSecond());
        positive(problems, cell, "tok/s per request", cell.speed().perRequestTokensPerSecond());
        positive(problems, cell, "ms TTFT", cell.speed().ttftMillis());
        positive(problems, cell, "ms between tokens", cell.speed().itlMillis());
        positive(problems, cell, "active requests", cell.sample().activeRequests());
        positive(problems, cell, "seconds measured", cell.sample().seconds());
        if (!problems.isEmpty()) {
            return problems;
        }
        if (cell instanceof Prefill prefill) {
            contradictions(problems, prefill);
        } else if (cell instanceof Decode decode) {
            contradictions(problems, decode);
        }
        return problems;
    }

    private static void positive(List<String> problems, MeasuredCell cell, String unit, OptionalDouble value) {
        if (value.isPresent() && !(value.getAsDouble() > 0 && Double.isFinite(value.getAsDouble()))) {
            double number = value.getAsDouble();
            problems.add(cell.label() + " is " + cell.status().label() + " with " + fixed(number) + " " + unit
                    + "; expected a positive number");
        }
    }

    private static void contradictions(List<String> problems, Prefill cell) {
        OptionalDouble rate = cell.speed().tokensPerSecond();
        OptionalDouble ttft = cell.speed().ttftMillis();
        if (cell.contextTokens() < SHORT_PROMPT || cell.concurrency() != 1 || rate.isEmpty() || ttft.isEmpty()) {
            return;
        }
        double tokens = rate.getAsDouble() * ttft.getAsDouble() / 1000;
        if (apart(tokens, (double) cell.contextTokens())) {
            problems.add(cell.label() + ": " + fixed(rate.getAsDouble()) + " tok/s for " + fixed(ttft.getAsDouble())
                    + " ms make " + fixed(tokens) + " tokens; check the units");
        }
    }

    private static void contradictions(List<String> problems, Decode cell) {
        OptionalDouble rate = cell.decodeTokensPerSecond();
        OptionalDouble each = cell.speed().perRequestTokensPerSecond();
        OptionalDouble itl = cell.speed().itlMillis();
        if (each.isPresent() && itl.isPresent() && apart(each.getAsDouble(), 1000 / itl.getAsDouble())) {
            problems.add(cell.label() + ": " + fixed(each.getAsDouble()) + " tok/s per request and "
                    + fixed(itl.getAsDouble()) + " ms between tokens contradict each other; check the units");
        } else if (rate.isPresent() && each.isPresent()) {
            double all = each.getAsDouble() * cell.active();
            if (apart(rate.getAsDouble(), all)) {
                problems.add(cell.label() + ": " + fixed(rate.getAsDouble()) + " tok/s in total, but "
                        + fixed(cell.active()) + " requests of " + fixed(each.getAsDouble()) + " tok/s make "
                        + fixed(all) + "; check the units");
            }
        }
    }

    private static boolean apart(double a, double b) {
        return a > b * CONTRADICTION || b > a * CONTRADICTION;
    }

    private static String fixed(double value) {
        return Double.isFinite(value) ? Units.fixed(value, Math.abs(value) < 100 ? 2 : 1) : String.valueOf(value);
    }
}
