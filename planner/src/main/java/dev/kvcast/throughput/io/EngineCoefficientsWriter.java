package dev.kvcast.throughput.io;

import dev.kvcast.throughput.EngineCoefficients;
import dev.kvcast.throughput.Residuals;
import dev.kvcast.throughput.StepForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts a fit in the form that {@link EngineCoefficientsReader} reads. */
final class EngineCoefficientsWriter {

    private EngineCoefficientsWriter() {}

    static Map<String, Object> document(EngineCoefficients fit) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", CoefficientsFile.SCHEMA);
        json.put("kind", CoefficientsFile.KIND);
        json.put("calibrations", List.of(calibration(fit)));
        return json;
    }

    private static Map<String, Object> calibration(EngineCoefficients fit) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("engine", fit.engine());
        fit.scope().ifPresent(scope -> json.put("scope", Map.of("gpu", scope.gpu(), "model", scope.model())));
        json.put("form", form(fit.form()));
        json.put("class_offset_sd", offsets(fit));
        json.put("residual_sd", residuals(fit.residuals()));
        json.put("cache_shares", fit.cacheShares());
        json.put("unthrottled", fit.unthrottled());
        List<Object> coefficients = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < fit.entries().size(); i++) {
            coefficients.add(coefficient(fit.entries().get(i), deviation(fit, i)));
            rows.add(correlations(fit, i));
        }
        json.put("coefficients", coefficients);
        json.put("correlation", rows);
        List<Object> runs = new ArrayList<>();
        fit.runs().forEach(run -> runs.add(Map.of("run", run.name(), "source", run.source())));
        json.put("runs", runs);
        return json;
    }

    private static Map<String, Object> offsets(EngineCoefficients fit) {
        Map<String, Object> json = new LinkedHashMap<>();
        fit.offsetDeviations().forEach((coefficient, deviation) -> json.put(coefficient.label(), deviation));
        return json;
    }

    private static double deviation(EngineCoefficients fit, int index) {
        return Math.sqrt(Math.max(0, fit.covariance().get(index)[index]));
    }

    private static Map<String, Object> coefficient(EngineCoefficients.Entry entry, double deviation) {
        Map<String, Object> json = new LinkedHashMap<>();
        String label = entry.coefficient().label();
        json.put(
                "name",
                entry.device().map(device -> label + "@" + device.label()).orElse(label));
        json.put("x", entry.x());
        json.put("sd", deviation);
        json.put("prior_x", entry.prior().x());
        json.put("prior_sd", entry.prior().deviation());
        return json;
    }

    private static String correlations(EngineCoefficients fit, int row) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < row; column++) {
            double scale = deviation(fit, row) * deviation(fit, column);
            double share = scale > 0 ? fit.covariance().get(row)[column] / scale : 0;
            text.append(column == 0 ? "" : " ").append(Math.round(share * CoefficientsFile.CORRELATION_UNIT));
        }
        return text.toString();
    }

    private static Map<String, Object> form(StepForm form) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("overlap_norm", form.overlapNorm());
        json.put("distinct_draws", form.distinctDraws());
        json.put("alike_draws", form.alikeDraws());
        json.put("prefill_draws", form.prefillDraws());
        json.put("api_seconds", form.apiSeconds());
        return json;
    }

    private static Map<String, Object> residuals(Residuals residuals) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("decode", residuals.decode());
        json.put("prefill", residuals.prefill());
        json.put("short_prefill", residuals.shortPrefill());
        json.put("first_token", residuals.firstToken());
        return json;
    }
}
