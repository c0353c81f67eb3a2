package dev.kvcast.validator.compare;

import dev.kvcast.report.JsonObject;
import dev.kvcast.report.Units;
import dev.kvcast.throughput.Forecast;
import java.util.List;
import java.util.Optional;

/** A comparison as JSON, schema version 1: fields may be added, never renamed. Errors are in percent. */
public final class ComparisonJson {

    private static final int SCHEMA = 1;
    private static final int WORST = 5;

    private ComparisonJson() {}

    /**
     * The comparison.
     *
     * @param tolerance tolerated share, if one was asked for
     */
    public static JsonObject of(Comparison comparison, Optional<Double> tolerance) {
        JsonObject json = new JsonObject()
                .put("schema", SCHEMA)
                .put("status", "ok")
                .put("source", comparison.source())
                .put("model", comparison.fit().scenario().model().id())
                .put("gpu", comparison.fit().scenario().accelerator().name())
                .put("gpu_count", comparison.fit().scenario().accelerators())
                .put("engine", comparison.fit().plan().engine())
                .put("engine_version", comparison.fit().plan().version())
                .put(
                        "summary",
                        new JsonObject()
                                .put("decode", errors(comparison.decode()))
                                .put("prefill", errors(comparison.prefill()))
                                .put("ttft", errors(comparison.ttft()))
                                .put("verdicts_judged", comparison.judged())
                                .put(
                                        "verdicts_wrong",
                                        comparison.wrongVerdicts().size()))
                .put("by_context", groups("context", comparison.byContext()))
                .put("by_concurrency", groups("concurrency", comparison.byConcurrency()))
                .put(
                        "worst",
                        comparison.worst(WORST).stream()
                                .map(ComparisonJson::cell)
                                .toList());
        tolerance.ifPresent(share -> json.put("tolerance_pct", Units.round(share * 100, 6))
                .put("within_tolerance", comparison.within(share)));
        return json.put(
                        "cells",
                        comparison.cells().stream().map(ComparisonJson::cell).toList())
                .put("notes", comparison.notes());
    }

    private static JsonObject cell(ComparedCell cell) {
        JsonObject json = new JsonObject()
                .put("phase", cell.measured().phase())
                .put("context", cell.measured().contextTokens())
                .put("concurrency", cell.measured().concurrency())
                .put("status", cell.measured().status().label());
        json.putOptional(
                "verdict", cell.verdict().map(capacity -> capacity.verdict().label()));
        cell.verdictAgrees()
                .ifPresentOrElse(agrees -> json.put("verdict_agrees", agrees), () -> json.putNull("verdict_agrees"));
        pair(json, "tok_s", cell.rate());
        pair(json, "ttft_ms", cell.ttft());
        return json;
    }

    private static void pair(JsonObject json, String name, Optional<ComparedCell.Pair> pair) {
        if (pair.isEmpty()) {
            json.putNull(name);
            return;
        }
        Forecast predicted = pair.get().predicted();
        json.put(
                name,
                new JsonObject()
                        .put("measured", pair.get().measured())
                        .put("value", Units.round(predicted.value(), 4))
                        .put("low", Units.round(predicted.low(), 4))
                        .put("high", Units.round(predicted.high(), 4))
                        .put("error_pct", percent(pair.get().error()))
                        .put("covered", pair.get().covered()));
    }

    private static JsonObject errors(Errors errors) {
        JsonObject json = new JsonObject().put("cells", errors.cells());
        if (errors.cells() == 0) {
            return json.putNull("mape_pct")
                    .putNull("worst_pct")
                    .putNull("bias_pct")
                    .putNull("coverage");
        }
        return json.put("mape_pct", percent(errors.mean()))
                .put("worst_pct", percent(errors.worst()))
                .put("bias_pct", percent(errors.bias()))
                .put("coverage", Units.round(errors.coverage(), 4));
    }

    private static List<JsonObject> groups(String key, List<Comparison.Group> groups) {
        return groups.stream()
                .map(group -> new JsonObject().put(key, group.key()).putAll(errors(group.errors())))
                .toList();
    }

    private static double percent(double share) {
        return Units.round(share * 100, 3);
    }
}
