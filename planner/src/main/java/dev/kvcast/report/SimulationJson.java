package dev.kvcast.report;

import dev.kvcast.simulate.Distribution;
import dev.kvcast.simulate.RateSweep;
import dev.kvcast.simulate.SimulationResult;
import java.util.ArrayList;
import java.util.List;

/** The JSON of a simulation that scripts rely on, schema version 1: fields may be added, never renamed. */
public final class SimulationJson {

    private static final double MILLIS = 1000;
    private static final List<Integer> PERCENTILES = List.of(50, 90, 95, 99);

    private SimulationJson() {}

    /** One run. */
    public static JsonObject run(SimulationResult result) {
        return new JsonObject()
                .put("schema", PlanJson.SCHEMA)
                .put("requests", result.requests().size())
                .put("completed", result.completed())
                .put("rejected", result.rejected())
                .put("duration_s", result.durationSeconds())
                .put("preemptions", result.preemptions())
                .put("steps", result.steps())
                .put("prefix_hit_rate", result.prefixHitRate())
                .put("kv_usage_peak", result.peakUsage())
                .put("ttft_ms", times(result.timeToFirstToken()))
                .put("itl_ms", times(result.interToken()))
                .put("tpot_ms", times(result.perOutputToken()))
                .put("e2e_ms", times(result.endToEnd()))
                .put("output_tok_s", result.outputTokensPerSecond())
                .put("request_s", result.requestsPerSecond())
                .put("goodput_request_s", result.goodputPerSecond())
                .put("goodput_share", result.goodShare())
                .put("saturated", result.saturated())
                .put("interrupted", result.interrupted());
    }

    /** A sweep over rates. */
    public static JsonObject sweep(RateSweep sweep) {
        List<JsonObject> points = new ArrayList<>();
        for (RateSweep.Point point : sweep.points()) {
            points.add(new JsonObject()
                    .put("rate", point.rate())
                    .put("keeps_slo", point.keeps())
                    .putAll(run(point.result())));
        }
        JsonObject json = new JsonObject().put("schema", PlanJson.SCHEMA).put("sweep", points);
        return sweep.largestRate()
                .map(rate -> json.put("largest_rate", rate))
                .orElseGet(() -> json.putNull("largest_rate"));
    }

    private static JsonObject times(Distribution times) {
        JsonObject json = new JsonObject().put("mean", times.meanSeconds() * MILLIS);
        for (int percentile : PERCENTILES) {
            json.put("p" + percentile, times.percentileSeconds(percentile) * MILLIS);
        }
        return json;
    }
}
