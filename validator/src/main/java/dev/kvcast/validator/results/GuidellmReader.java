package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * guidellm's JSON report: {@code benchmarks[].metrics}, each metric split into {@code successful}, {@code errored},
 * {@code incomplete} and {@code total} with {@code mean}, {@code median}, ... Request latency is in seconds, what ends in
 * {@code _ms} in milliseconds. Its TPOT counts the first token in, so ITL is used. Windows hold prefill.
 */
final class GuidellmReader implements RunReader {

    @Override
    public String tool() {
        return "guidellm";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.values().get("benchmarks") instanceof List<?>
                && first.objects("benchmarks").stream()
                        .anyMatch(benchmark -> benchmark
                                .object("metrics")
                                .map(metrics -> metrics.has("time_to_first_token_ms"))
                                .orElse(false));
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Fields report = documents.next().orElseThrow();
        if (documents.next().isPresent()) {
            throw InputException.badInput(report.where() + " holds several reports; give one file for each");
        }
        Agreed model = new Agreed("model");
        model.see(model(report), report);
        List<MeasuredCell> cells = new ArrayList<>();
        for (Fields benchmark : report.objects("benchmarks")) {
            model.see(model(benchmark), benchmark);
            cells.add(cell(benchmark));
        }
        return new MeasuredRun(
                report.where(),
                tool(),
                MeasuredRun.Hardware.UNKNOWN,
                MeasuredRun.Engine.UNKNOWN,
                model.value(),
                Optional.empty(),
                RunSettings.of(cells, PromptSharing.UNKNOWN),
                cells,
                List.of());
    }

    private static MeasuredCell cell(Fields benchmark) {
        Fields metrics = benchmark.requiredObject("metrics");
        Optional<Fields> strategy = settings(benchmark).flatMap(settings -> settings.object("strategy"));
        double start = benchmark.required("start_time");
        double end = benchmark.required("end_time");
        Fields latency = successful(metrics, "request_latency");
        long completed = latency.whole("count").orElseGet(() -> requests(metrics));
        Fields output = successful(metrics, "output_token_count");
        OptionalDouble itl = median(successful(metrics, "inter_token_latency_ms"));
        return new LoadTest(
                        concurrency(strategy),
                        strategy.map(fields -> fields.number("rate")).orElse(OptionalDouble.empty()),
                        completed,
                        end - start,
                        successful(metrics, "prompt_token_count").required("mean"),
                        Math.round(output.required("mean") * completed),
                        OptionalDouble.of(
                                successful(metrics, "output_tokens_per_second").required("mean")),
                        median(successful(metrics, "time_to_first_token_ms")),
                        itl,
                        latency.number("mean"))
                .cell();
    }

    private static long requests(Fields metrics) {
        return metrics.requiredObject("request_totals").requiredWhole("successful");
    }

    private static OptionalLong concurrency(Optional<Fields> strategy) {
        if (strategy.isEmpty()) {
            return OptionalLong.empty();
        }
        return strategy.get().has("streams")
                ? strategy.get().whole("streams")
                : strategy.get().whole("max_concurrency");
    }

    private static Fields successful(Fields metrics, String name) {
        Fields metric = metrics.requiredObject(name);
        return metric.object("successful").orElseGet(() -> metric.requiredObject("total"));
    }

    private static OptionalDouble median(Fields metric) {
        return OptionalDouble.of(metric.has("median") ? metric.required("median") : metric.required("mean"));
    }

    private static Optional<Fields> settings(Fields benchmark) {
        return benchmark.object("config").or(() -> benchmark.object("args"));
    }

    private static Optional<String> model(Fields holder) {
        Optional<Fields> settings = settings(holder);
        return settings.flatMap(fields -> fields.object("backend"))
                .flatMap(backend -> backend.text("model"))
                .or(() -> settings.flatMap(fields ->
                        fields.values().get("model") instanceof String name ? Optional.of(name) : Optional.empty()));
    }
}
