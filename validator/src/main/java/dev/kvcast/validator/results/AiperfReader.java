package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * AIPerf's {@code profile_export_aiperf.json} and genai-perf's older file of the same shape: one object per metric with
 * {@code unit}, {@code avg}, {@code p50}, ...; the unit is read, not assumed. One file is one test; its window holds
 * prefill.
 */
final class AiperfReader implements RunReader {

    @Override
    public String tool() {
        return "aiperf";
    }

    @Override
    public boolean recognizes(Fields first) {
        return metrics(first)
                .object("output_token_throughput_per_user")
                .map(metric -> metric.has("unit"))
                .orElse(false);
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Fields file = documents.next().orElseThrow();
        if (documents.next().isPresent()) {
            throw InputException.badInput(file.where() + " holds several reports; give one file for each");
        }
        if (file.isTrue("was_cancelled")) {
            throw InputException.badInput(file.where() + " is of a run that was cancelled; give a complete one");
        }
        Fields metrics = metrics(file);
        double latency = Durations.millis(metrics.requiredObject("request_latency"), "avg") / 1000;
        double rate = metrics.requiredObject("request_throughput").required("avg");
        long completed = completed(metrics);
        Fields output = metrics.requiredObject("output_sequence_length");
        Optional<Fields> load = file.object("input_config").flatMap(config -> config.object("loadgen"));
        MeasuredCell cell = new LoadTest(
                        load.map(fields -> fields.whole("concurrency")).orElse(OptionalLong.empty()),
                        load.map(fields -> fields.number("request_rate")).orElse(OptionalDouble.empty()),
                        completed,
                        rate > 0 ? completed / rate : 0,
                        metrics.requiredObject("input_sequence_length").required("avg"),
                        Math.round(output.required("avg") * completed),
                        OptionalDouble.of(metrics.requiredObject("output_token_throughput")
                                .required("avg")),
                        median(metrics.requiredObject("time_to_first_token")),
                        median(metrics.requiredObject("inter_token_latency")),
                        OptionalDouble.of(latency))
                .cell();
        return new MeasuredRun(
                file.where(),
                tool(),
                MeasuredRun.Hardware.UNKNOWN,
                MeasuredRun.Engine.UNKNOWN,
                model(file),
                Optional.empty(),
                RunSettings.of(List.of(cell), PromptSharing.UNKNOWN),
                List.of(cell),
                List.of());
    }

    private static long completed(Fields metrics) {
        double count = metrics.requiredObject("request_count").required("avg");
        return count >= 0 && count < 1L << 53 ? Math.round(count) : 0;
    }

    private static OptionalDouble median(Fields metric) {
        return OptionalDouble.of(Durations.millis(metric, metric.has("p50") ? "p50" : "avg"));
    }

    /** Some versions put the metrics one level down. */
    private static Fields metrics(Fields file) {
        return file.object("records").orElse(file);
    }

    private static Optional<String> model(Fields file) {
        return file.object("input_config")
                .flatMap(config -> config.object("endpoint"))
                .flatMap(endpoint -> endpoint.values().get("model_names") instanceof List<?> names
                                && names.size() == 1
                                && names.get(0) instanceof String name
                        ? Optional.of(name)
                        : Optional.empty());
    }
}
