package dev.kvcast.validator.results;

import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The summary of a client that sends whole requests: its window holds prefill, so it gives a {@code mixed} cell.
 *
 * <p>Requests at once come from Little's law where the mean latency is known: latency sum over window. What was asked
 * for is an upper bound that ramp-up, the tail and a server's limit keep a client below.
 *
 * @param asked requests at once that the client was told to keep, if any
 * @param requestRate finite arrival rate in requests per second, empty when requests wait for each other
 * @param completed requests that ended well
 * @param seconds wall time of the test
 * @param inputTokens average prompt length of a request
 * @param outputTokens output tokens of all requests
 * @param tokensPerSecond output tokens per second of wall time
 * @param ttftMillis median time to first token
 * @param itlMillis median time between tokens
 * @param meanLatencySeconds mean time of a whole request
 */
record LoadTest(
        OptionalLong asked,
        OptionalDouble requestRate,
        long completed,
        double seconds,
        double inputTokens,
        long outputTokens,
        OptionalDouble tokensPerSecond,
        OptionalDouble ttftMillis,
        OptionalDouble itlMillis,
        OptionalDouble meanLatencySeconds) {

    /** Below this many mean latencies, or rounds of requests, ramp-up and tail are most of a test. */
    private static final double FEWEST_ROUNDS = 2;

    /** The cell. */
    Decode cell() {
        OptionalDouble active = active();
        long concurrency = asked.orElse(Math.max(1, Math.round(active.orElse(1))));
        boolean valid = completed > 0;
        Speed speed = new Speed(
                tokensPerSecond,
                itlMillis.isPresent() && itlMillis.getAsDouble() > 0
                        ? OptionalDouble.of(1000 / itlMillis.getAsDouble())
                        : OptionalDouble.empty(),
                ttftMillis,
                itlMillis);
        Sample sample = new Sample(
                active,
                OptionalLong.of(completed),
                OptionalDouble.of(inputTokens),
                OptionalLong.of(outputTokens),
                OptionalDouble.of(seconds));
        return new Decode(
                Double.isFinite(inputTokens) ? Math.round(inputTokens) : 0,
                (int) Math.min(concurrency, Integer.MAX_VALUE),
                valid ? Status.VALID : Status.FAILED,
                requestRate.isPresent() ? Window.OPEN_LOOP : Window.MIXED,
                speed,
                sample,
                valid ? remark(concurrency) : Optional.of("no request completed"));
    }

    private OptionalDouble active() {
        if (meanLatencySeconds.isEmpty() || !(seconds > 0)) {
            return OptionalDouble.empty();
        }
        double mean = meanLatencySeconds.getAsDouble() * completed / seconds;
        return Double.isFinite(mean) ? OptionalDouble.of(mean) : OptionalDouble.empty();
    }

    private Optional<String> remark(long concurrency) {
        if (requestRate.isPresent()) {
            return Optional.of("requests arrive at " + requestRate.getAsDouble() + "/s");
        }
        boolean brief = completed < FEWEST_ROUNDS * concurrency
                || (meanLatencySeconds.isPresent() && seconds < FEWEST_ROUNDS * meanLatencySeconds.getAsDouble());
        return brief ? Optional.of("fewer than two rounds of requests") : Optional.empty();
    }
}
