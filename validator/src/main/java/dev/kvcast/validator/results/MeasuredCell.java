package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What one measurement at one context and concurrency gave. */
public sealed interface MeasuredCell {

    /** Prompt tokens of a request as the tool labels them, 0 or more. */
    long contextTokens();

    /** Requests at once as asked for, 1 or more. */
    int concurrency();

    /** How it went. */
    Status status();

    /** What was measured; empty values where the tool does not say. */
    Speed speed();

    /** What the measurement rests on. */
    Sample sample();

    /** Why it is not valid, or what is special about it, in a few words. */
    Optional<String> reason();

    /** The cell in words for messages, for example {@code decode 16384 x 8}. */
    default String label() {
        return phase() + " " + contextTokens() + " x " + concurrency();
    }

    /** {@code prefill}, {@code decode} or {@code mixed}, the word used in files. */
    String phase();

    /** Whether the cell was measured as asked. */
    default boolean valid() {
        return status() == Status.VALID;
    }

    /** How a measurement went. */
    enum Status {
        /** Measured with as many requests as asked. */
        VALID,
        /** Not run, or not held at that concurrency, for lack of KV cache. */
        OVER_CAPACITY,
        /** Tried, without a usable result. */
        FAILED;

        /** The word used in files. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What the window of a decode measurement holds besides decoding. */
    enum Window {
        /** Prefill is outside: all requests decode all the time. */
        DECODE,
        /** Requests are prefilled inside, so rates fall short of pure decoding; the median ITL hardly does. */
        MIXED,
        /** As {@link #MIXED}, and requests arrive at a rate, so their number at once is an outcome. */
        OPEN_LOOP
    }

    /**
     * Measured speed; not checked, {@link RunChecks} does that.
     *
     * @param tokensPerSecond prompt tokens per second of a prefill, output tokens per second of all requests otherwise
     * @param perRequestTokensPerSecond output tokens per second of one request
     * @param ttftMillis time to first token in milliseconds, median where the tool has one
     * @param itlMillis time between tokens in milliseconds, median where the tool has one
     */
    record Speed(
            OptionalDouble tokensPerSecond,
            OptionalDouble perRequestTokensPerSecond,
            OptionalDouble ttftMillis,
            OptionalDouble itlMillis) {

        /** Nothing was measured. */
        public static final Speed NONE = new Speed(
                OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
    }

    /**
     * What a measurement rests on.
     *
     * @param activeRequests average number of requests in the engine
     * @param completedRequests requests that ended inside the window
     * @param inputTokens average real prompt length in tokens
     * @param outputTokens output tokens of all requests
     * @param seconds length of the window
     */
    record Sample(
            OptionalDouble activeRequests,
            OptionalLong completedRequests,
            OptionalDouble inputTokens,
            OptionalLong outputTokens,
            OptionalDouble seconds) {

        /** Nothing is known. */
        public static final Sample NONE = new Sample(
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty());
    }

    /**
     * Prompt processing.
     *
     * @param contextTokens prompt tokens of one request
     * @param concurrency prompts processed at once
     * @param status how it went
     * @param speed prompt tokens per second of all prompts, and TTFT
     * @param sample what it rests on
     * @param reason why it is not valid
     */
    record Prefill(
            long contextTokens, int concurrency, Status status, Speed speed, Sample sample, Optional<String> reason)
            implements MeasuredCell {

        /** Checks the ranges. */
        public Prefill {
            checkRange(contextTokens, concurrency);
        }

        @Override
        public String phase() {
            return "prefill";
        }
    }

    /**
     * Token generation.
     *
     * @param contextTokens prompt tokens of each request
     * @param concurrency requests at once
     * @param status how it went
     * @param window what the measurement holds besides decoding
     * @param speed output tokens per second, TTFT and ITL
     * @param sample what it rests on
     * @param reason why it is not valid, or what is special
     */
    record Decode(
            long contextTokens,
            int concurrency,
            Status status,
            Window window,
            Speed speed,
            Sample sample,
            Optional<String> reason)
            implements MeasuredCell {

        /** Checks the ranges. */
        public Decode {
            checkRange(contextTokens, concurrency);
        }

        @Override
        public String phase() {
            return window == Window.DECODE ? "decode" : "mixed";
        }

        /** Requests that shared the engine: the measured average, else as many as were asked for. */
        public double active() {
            return sample.activeRequests().orElse(concurrency);
        }

        /**
         * Output tokens per second of all requests while they decode: the measured rate, or for a window that holds
         * prefill the one that the active requests and the time between tokens give.
         */
        public OptionalDouble decodeTokensPerSecond() {
            if (window == Window.DECODE) {
                return speed.tokensPerSecond();
            }
            return speed.itlMillis().isPresent()
                    ? OptionalDouble.of(active() * 1000 / speed.itlMillis().getAsDouble())
                    : OptionalDouble.empty();
        }
    }

    private static void checkRange(long contextTokens, int concurrency) {
        if (contextTokens < 0 || contextTokens > 1L << 40) {
            throw InputException.badInput("a cell has a context of " + contextTokens + " tokens; expected 0 or more");
        }
        if (concurrency < 1) {
            throw InputException.badInput("a cell has concurrency " + concurrency + "; expected 1 or more");
        }
    }
}
