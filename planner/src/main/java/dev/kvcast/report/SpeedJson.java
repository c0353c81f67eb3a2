package dev.kvcast.report;

import dev.kvcast.plan.Matrix;
import dev.kvcast.throughput.CellSpeed;
import dev.kvcast.throughput.Forecast;
import dev.kvcast.throughput.PrefillSpeed;
import java.util.Optional;

/** Predicted speeds in JSON: a value and its 90% interval, or {@code null}. */
final class SpeedJson {

    private static final double MILLIS = 1000;

    private SpeedJson() {}

    /** Fields of a decode cell. */
    static JsonObject decode(Optional<CellSpeed> speed) {
        JsonObject json = new JsonObject();
        put(json, "decode_tok_s", speed.map(CellSpeed::tokensPerSecond));
        put(json, "per_request_tok_s", speed.map(CellSpeed::perRequestTokensPerSecond));
        put(json, "itl_ms", speed.map(cell -> cell.interTokenSeconds().times(MILLIS)));
        put(json, "ttft_ms", speed.map(cell -> cell.firstTokenSeconds().times(MILLIS)));
        return json;
    }

    /** One prompt length. */
    static JsonObject prefill(Matrix.Prefill prefill) {
        Optional<PrefillSpeed> speed = prefill.speed();
        JsonObject json = new JsonObject().put("context", prefill.contextTokens());
        put(json, "tok_s", speed.map(PrefillSpeed::tokensPerSecond));
        put(json, "ttft_ms", speed.map(prompt -> prompt.coldSeconds().times(MILLIS)));
        put(json, "ttft_warm_ms", speed.map(prompt -> prompt.warmSeconds().times(MILLIS)));
        return json;
    }

    private static void put(JsonObject json, String name, Optional<Forecast> forecast) {
        if (forecast.isEmpty()) {
            json.putNull(name);
            return;
        }
        json.put(
                name,
                new JsonObject()
                        .put("value", digits(forecast.get().value()))
                        .put("low", digits(forecast.get().low()))
                        .put("high", digits(forecast.get().high())));
    }

    /** Five significant digits: more would be false ones. */
    private static double digits(double value) {
        int decimals = value >= 10_000 ? 0 : value >= 1000 ? 1 : value >= 100 ? 2 : value >= 10 ? 3 : 4;
        return Units.round(value, decimals);
    }
}
