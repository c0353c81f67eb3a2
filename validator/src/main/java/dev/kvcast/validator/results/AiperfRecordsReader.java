package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * AIPerf's {@code profile_export.jsonl}: one request a line with {@code metadata} (times in nanoseconds),
 * {@code metrics} ({@code value} and {@code unit} each) and {@code error}. Warm-up requests are left out. The requests
 * become one cell.
 */
final class AiperfRecordsReader implements RunReader {

    @Override
    public String tool() {
        return "aiperf";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.object("metadata")
                        .map(metadata -> metadata.hasAll("request_start_ns", "request_end_ns"))
                        .orElse(false)
                && (first.has("metrics") || first.has("error"));
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Requests requests = new Requests();
        for (Optional<Fields> next = documents.next(); next.isPresent(); next = documents.next()) {
            requests.add(next.get());
        }
        MeasuredCell cell = requests.cell(documents.name());
        List<String> notes = requests.failed == 0
                ? List.of()
                : List.of("requests left out that failed or were cancelled: " + requests.failed);
        return new MeasuredRun(
                documents.name(),
                tool(),
                MeasuredRun.Hardware.UNKNOWN,
                MeasuredRun.Engine.UNKNOWN,
                Optional.empty(),
                Optional.empty(),
                RunSettings.of(List.of(cell), PromptSharing.UNKNOWN),
                List.of(cell),
                notes);
    }

    /** Sums and samples over the requests. */
    private static final class Requests {

        private final Samples ttft = new Samples();
        private final Samples itl = new Samples();
        private long completed;
        private long failed;
        private double latencySeconds;
        private double inputTokens;
        private double outputTokens;
        private double startNanos = Double.POSITIVE_INFINITY;
        private double endNanos = Double.NEGATIVE_INFINITY;

        void add(Fields record) {
            Fields metadata = record.requiredObject("metadata");
            if (!metadata.text("benchmark_phase").orElse("profiling").equals("profiling")) {
                return;
            }
            if (record.has("error") || metadata.isTrue("was_cancelled")) {
                failed++;
                return;
            }
            Fields metrics = record.requiredObject("metrics");
            completed++;
            startNanos = Math.min(startNanos, metadata.required("request_start_ns"));
            endNanos = Math.max(endNanos, metadata.required("request_end_ns"));
            latencySeconds += Durations.millis(metrics.requiredObject("request_latency"), "value") / 1000;
            inputTokens += metrics.requiredObject("input_sequence_length").required("value");
            outputTokens += metrics.requiredObject("output_sequence_length").required("value");
            ttft.add(Durations.millis(metrics.requiredObject("time_to_first_token"), "value"));
            // A request of one token has no time between tokens.
            metrics.object("inter_token_latency").ifPresent(metric -> itl.add(Durations.millis(metric, "value")));
        }

        MeasuredCell cell(String name) {
            if (completed == 0) {
                throw InputException.badInput(name + " has no request that completed");
            }
            double seconds = (endNanos - startNanos) / 1e9;
            return new LoadTest(
                            OptionalLong.empty(),
                            OptionalDouble.empty(),
                            completed,
                            seconds,
                            inputTokens / completed,
                            Math.round(outputTokens),
                            OptionalDouble.of(outputTokens / seconds),
                            ttft.median(),
                            itl.median(),
                            OptionalDouble.of(latencySeconds / completed))
                    .cell();
        }
    }

    /** Numbers, up to a bound. */
    private static final class Samples {

        private static final int MOST = 5_000_000;

        private double[] values = new double[256];
        private int size;

        void add(double value) {
            if (size == MOST) {
                throw InputException.badInput("more than " + MOST + " requests; give a part of the file");
            }
            if (size == values.length) {
                values = Arrays.copyOf(values, Math.min(MOST, size * 2));
            }
            values[size++] = value;
        }

        OptionalDouble median() {
            if (size == 0) {
                return OptionalDouble.empty();
            }
            double[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return OptionalDouble.of((sorted[(size - 1) / 2] + sorted[size / 2]) / 2);
        }
    }
}
