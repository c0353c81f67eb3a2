package dev.kvcast.validator.results;

import dev.kvcast.report.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Writes kvcast's own run form, which {@link RunReaders} reads back; see {@link OwnRunReader} for its fields. */
public final class RunJson {

    private RunJson() {}

    /** The run; numbers that are not finite are left out. */
    public static JsonObject of(MeasuredRun run) {
        JsonObject json = new JsonObject()
                .put("source", run.source())
                .put("tool", run.tool())
                .put("hardware", hardware(run.hardware()))
                .put("engine", engine(run.engine()));
        run.model().ifPresent(model -> json.put("model", model));
        run.launchCommand().ifPresent(command -> json.put("launch_command", command));
        List<JsonObject> cells = run.cells().stream().map(RunJson::cell).toList();
        return json.put("run", settings(run.settings())).put("cells", cells);
    }

    private static JsonObject hardware(MeasuredRun.Hardware hardware) {
        JsonObject json = new JsonObject();
        hardware.gpu().ifPresent(gpu -> json.put("gpu", gpu));
        hardware.gpuCount().ifPresent(count -> json.put("gpu_count", count));
        return withDetails(json, hardware.details());
    }

    private static JsonObject engine(MeasuredRun.Engine engine) {
        JsonObject json = new JsonObject();
        engine.name().ifPresent(name -> json.put("name", name));
        engine.version().ifPresent(version -> json.put("version", version));
        return withDetails(json, engine.details());
    }

    private static JsonObject settings(RunSettings settings) {
        JsonObject json = new JsonObject();
        put(json, "measure_s", settings.measureSeconds());
        put(json, "max_output_tokens", settings.maxOutputTokens());
        json.put("contexts", settings.contexts())
                .put("concurrency", settings.concurrencies())
                .put("prefill_contexts", settings.prefillContexts())
                .put("prompt_sharing", settings.sharing().label());
        settings.speculative().ifPresent(method -> json.put("spec_decode", method));
        return withDetails(json, settings.details());
    }

    private static JsonObject cell(MeasuredCell cell) {
        JsonObject json = new JsonObject()
                .put("phase", cell.phase())
                .put("context_tokens", cell.contextTokens())
                .put("concurrency", cell.concurrency())
                .put("status", cell.status().label());
        if (cell instanceof MeasuredCell.Decode decode && decode.window() == MeasuredCell.Window.OPEN_LOOP) {
            json.put("kind", "open_loop");
        }
        MeasuredCell.Speed speed = cell.speed();
        put(json, "total_tok_s", speed.tokensPerSecond());
        put(json, "per_request_tok_s", speed.perRequestTokensPerSecond());
        put(json, "ttft_ms", speed.ttftMillis());
        put(json, "itl_ms", speed.itlMillis());
        MeasuredCell.Sample sample = cell.sample();
        put(json, "active_requests", sample.activeRequests());
        put(json, "completed_requests", sample.completedRequests());
        put(json, "actual_input_tokens", sample.inputTokens());
        put(json, "output_tokens", sample.outputTokens());
        put(json, "measured_s", sample.seconds());
        cell.reason().ifPresent(reason -> json.put("reason", reason));
        return json;
    }

    /** Puts a number that is there and finite. */
    static void put(JsonObject json, String name, OptionalDouble value) {
        if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
            json.put(name, value.getAsDouble());
        }
    }

    /** Puts a number that is there. */
    static void put(JsonObject json, String name, OptionalLong value) {
        if (value.isPresent()) {
            json.put(name, value.getAsLong());
        }
    }

    private static JsonObject withDetails(JsonObject json, Map<String, Object> details) {
        details.forEach((name, value) -> {
            if (value instanceof String text) {
                json.put(name, text);
            } else if (value instanceof Long number) {
                json.put(name, number);
            } else if (value instanceof Double number) {
                put(json, name, OptionalDouble.of(number));
            } else if (value instanceof Boolean truth) {
                json.put(name, truth);
            }
        });
        return json;
    }
}
