package dev.kvcast.validator.results;

import dev.kvcast.report.JsonObject;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredCell.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Writes what llm-inference-bench 0.4 and its readers expect: times in seconds, {@code summary_table} by context and
 * concurrency, and no cell that was skipped; those follow from {@code max_total_tokens}. Where the run knows no KV
 * budget, the largest need of a cell that ran stands for it.
 */
public final class LlmInferenceBenchJson {

    private LlmInferenceBenchJson() {}

    /** The run in that tool's form; machine, launch line and windows that hold prefill have no place in it. */
    public static JsonObject of(MeasuredRun run) {
        JsonObject prefill = new JsonObject();
        for (Prefill cell : run.prefills()) {
            if (cell.valid() && cell.concurrency() == 1) {
                prefill.put(String.valueOf(cell.contextTokens()), prefill(cell));
            }
        }
        List<Decode> measured = run.decodes().stream()
                .filter(cell -> cell.window() == MeasuredCell.Window.DECODE && cell.status() != Status.OVER_CAPACITY)
                .filter(cell -> rate(cell).isPresent())
                .toList();
        List<JsonObject> results = new ArrayList<>();
        for (Decode cell : measured) {
            results.add(result(cell));
        }
        return new JsonObject()
                .put("metadata", metadata(run, measured))
                .put("prefill", prefill)
                .put("results", results)
                .put("summary_table", summary(run, measured));
    }

    private static JsonObject metadata(MeasuredRun run, List<Decode> measured) {
        RunSettings settings = run.settings();
        JsonObject json = new JsonObject()
                .put("version", run.tool())
                .put("engine", run.engine().name().orElse(""))
                .put("model", run.model().orElse(""))
                .put("server", text(settings, "server"))
                .put("timestamp", text(settings, "timestamp"))
                .put("decode_mode", "duration");
        RunJson.put(json, "duration_per_test", settings.measureSeconds());
        RunJson.put(json, "max_tokens", settings.maxOutputTokens());
        long output = settings.maxOutputTokens().orElse(0);
        long needed = measured.stream()
                // Both factors are below 2^41 and 2^31; a sum beyond 2^53 is no number of tokens.
                .mapToLong(cell ->
                        (long) Math.min(0x1p53, (double) (cell.contextTokens() + output) * cell.concurrency()))
                .max()
                .orElse(0);
        Object budget = settings.details().get("kv_capacity_tokens");
        return json.put("max_total_tokens", budget instanceof Long known ? known : needed)
                .put("concurrency_levels", settings.concurrencies())
                .put("context_lengths", settings.contexts());
    }

    private static String text(RunSettings settings, String name) {
        return settings.details().get(name) instanceof String text ? text : "";
    }

    private static JsonObject prefill(Prefill cell) {
        JsonObject json = new JsonObject();
        putSeconds(json, "ttft_seconds", cell.speed().ttftMillis());
        RunJson.put(json, "tok_per_sec", cell.speed().tokensPerSecond());
        RunJson.put(json, "prompt_tokens", cell.sample().inputTokens());
        return json.put("samples", cell.sample().completedRequests().orElse(1));
    }

    private static JsonObject result(Decode cell) {
        double rate = rate(cell).orElse(0);
        JsonObject json = new JsonObject()
                .put("concurrency", cell.concurrency())
                .put("context_tokens", cell.contextTokens())
                .put("aggregate_tps", rate)
                .put("per_request_avg_tps", rate / cell.concurrency());
        RunJson.put(json, "output_tps_per_user_p50", cell.speed().perRequestTokensPerSecond());
        putSeconds(json, "ttft_p50", cell.speed().ttftMillis());
        putSeconds(json, "inter_token_latency_p50", cell.speed().itlMillis());
        RunJson.put(json, "avg_running_reqs", cell.sample().activeRequests());
        RunJson.put(json, "completed_request_count", cell.sample().completedRequests());
        RunJson.put(json, "input_seq_len_avg", cell.sample().inputTokens());
        RunJson.put(json, "client_output_tokens", cell.sample().outputTokens());
        RunJson.put(json, "measurement_wall_seconds", cell.sample().seconds());
        return json.put("capacity_limited", false).put("num_errors", cell.valid() ? 0 : 1);
    }

    private static JsonObject summary(MeasuredRun run, List<Decode> measured) {
        JsonObject table = new JsonObject();
        for (long context : run.settings().contexts()) {
            JsonObject row = new JsonObject();
            for (Decode cell : measured) {
                if (cell.contextTokens() == context) {
                    String column = String.valueOf(cell.concurrency());
                    if (cell.valid()) {
                        row.put(column, rate(cell).orElse(0));
                    } else {
                        row.putNull(column);
                    }
                }
            }
            table.put(String.valueOf(context), row);
        }
        return table;
    }

    private static OptionalDouble rate(Decode cell) {
        OptionalDouble rate = cell.speed().tokensPerSecond();
        return rate.isPresent() && Double.isFinite(rate.getAsDouble()) ? rate : OptionalDouble.empty();
    }

    private static void putSeconds(JsonObject json, String name, OptionalDouble millis) {
        RunJson.put(
                json,
                name,
                millis.isPresent() ? OptionalDouble.of(millis.getAsDouble() / 1000) : OptionalDouble.empty());
    }
}
