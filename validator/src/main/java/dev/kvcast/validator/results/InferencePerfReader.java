package dev.kvcast.validator.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * inference-perf's {@code summary_lifecycle_metrics.json} and {@code stage_N_lifecycle_metrics.json}: times in seconds,
 * rates per second. Requests arrive at a rate, so their number at once is an outcome. The file names no model, card or
 * engine.
 */
final class InferencePerfReader implements RunReader {

    @Override
    public String tool() {
        return "inference-perf";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.object("load_summary").isPresent()
                && first.object("successes").isPresent();
    }

    @Override
    public MeasuredRun read(Documents documents) {
        List<MeasuredCell> cells = new ArrayList<>();
        for (Optional<Fields> next = documents.next(); next.isPresent(); next = documents.next()) {
            cells.add(cell(next.get()));
        }
        return new MeasuredRun(
                documents.name(),
                tool(),
                MeasuredRun.Hardware.UNKNOWN,
                MeasuredRun.Engine.UNKNOWN,
                Optional.empty(),
                Optional.empty(),
                RunSettings.of(cells, PromptSharing.UNKNOWN),
                cells,
                List.of());
    }

    private static MeasuredCell cell(Fields file) {
        Fields load = file.requiredObject("load_summary");
        Fields successes = file.requiredObject("successes");
        Fields latency = successes.requiredObject("latency");
        Fields throughput = successes.requiredObject("throughput");
        long completed = successes.requiredWhole("count");
        double requests = throughput.required("requests_per_sec");
        return new LoadTest(
                        OptionalLong.empty(),
                        load.firstNumber("requested_rate", "achieved_rate"),
                        completed,
                        requests > 0 ? completed / requests : 0,
                        successes.requiredObject("prompt_len").required("mean"),
                        Math.round(successes.requiredObject("output_len").required("mean") * completed),
                        OptionalDouble.of(throughput.required("output_tokens_per_sec")),
                        millis(latency, "time_to_first_token"),
                        millis(latency, "inter_token_latency"),
                        OptionalDouble.of(
                                latency.requiredObject("request_latency").required("mean")))
                .cell();
    }

    private static OptionalDouble millis(Fields latency, String name) {
        Fields metric = latency.requiredObject(name);
        String field = metric.has("median") ? "median" : metric.has("p50") ? "p50" : "mean";
        return OptionalDouble.of(metric.required(field) * 1000);
    }
}
