package dev.kvcast.throughput.io;

import dev.kvcast.throughput.Coefficient;
import dev.kvcast.throughput.DeviceClass;
import dev.kvcast.throughput.EngineCoefficients;
import dev.kvcast.throughput.EngineCoefficients.Entry;
import dev.kvcast.throughput.EngineCoefficients.Prior;
import dev.kvcast.throughput.EngineCoefficients.Run;
import dev.kvcast.throughput.EngineCoefficients.Scope;
import dev.kvcast.throughput.Residuals;
import dev.kvcast.throughput.StepForm;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;

/** Reads one engine's fit. */
final class EngineCoefficientsReader {

    private EngineCoefficientsReader() {}

    static EngineCoefficients read(CoefficientFields fit) {
        List<Entry> entries = new ArrayList<>();
        List<Double> deviations = new ArrayList<>();
        for (CoefficientFields fields : fit.objects("coefficients")) {
            entries.add(entry(fields));
            deviations.add(fields.number("sd"));
        }
        Map<Coefficient, Double> offsets = new EnumMap<>(Coefficient.class);
        fit.object("class_offset_sd")
                .numbers()
                .forEach((label, deviation) -> offsets.put(
                        Coefficient.labelled(label)
                                .orElseThrow(() -> fit.problem("class_offset_sd", "names coefficients")),
                        deviation));
        return new EngineCoefficients(
                fit.text("engine"),
                fit.has("scope") ? Optional.of(scope(fit.object("scope"))) : Optional.empty(),
                entries,
                covariance(fit, deviations),
                offsets,
                residuals(fit.object("residual_sd")),
                form(fit.object("form")),
                fit.object("cache_shares").numbers(),
                Boolean.TRUE.equals(fit.fields().get("unthrottled")),
                runs(fit));
    }

    private static Scope scope(CoefficientFields fields) {
        return new Scope(fields.text("gpu"), fields.text("model"));
    }

    private static Entry entry(CoefficientFields fields) {
        String name = fields.text("name");
        int at = name.indexOf('@');
        Optional<Coefficient> coefficient = Coefficient.labelled(at < 0 ? name : name.substring(0, at));
        Optional<DeviceClass> device = at < 0 ? Optional.empty() : DeviceClass.labelled(name.substring(at + 1));
        if (coefficient.isEmpty() || (at >= 0 && device.isEmpty())) {
            throw fields.problem("name", "this version knows");
        }
        return new Entry(
                coefficient.get(),
                device,
                fields.number("x"),
                new Prior(fields.number("prior_x"), fields.positive("prior_sd")));
    }

    /** Correlations are kept in ten-thousandths, one line of text per row below the diagonal: quick to read. */
    private static List<double[]> covariance(CoefficientFields fit, List<Double> deviations) {
        List<?> rows = fit.list("correlation");
        if (rows.size() != deviations.size()) {
            throw fit.problem("correlation", "has a row for each of the " + deviations.size() + " coefficients");
        }
        List<double[]> triangle = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            double[] row = new double[i + 1];
            StringTokenizer numbers = new StringTokenizer(String.valueOf(rows.get(i)));
            if (numbers.countTokens() != i) {
                throw fit.problem("correlation", "has " + i + " numbers in row " + (i + 1));
            }
            for (int j = 0; j < i; j++) {
                row[j] = correlation(fit, numbers.nextToken()) * deviations.get(i) * deviations.get(j);
            }
            row[i] = deviations.get(i) * deviations.get(i);
            triangle.add(row);
        }
        return triangle;
    }

    private static double correlation(CoefficientFields fit, String text) {
        try {
            double value = Integer.parseInt(text) / CoefficientsFile.CORRELATION_UNIT;
            if (Math.abs(value) <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw fit.problem("correlation", "has whole numbers").because(e);
        }
        throw fit.problem("correlation", "has numbers from -10000 to 10000");
    }

    static Residuals residuals(CoefficientFields fields) {
        return new Residuals(
                fields.positive("decode"),
                fields.positive("prefill"),
                fields.positive("short_prefill"),
                fields.positive("first_token"));
    }

    private static StepForm form(CoefficientFields fields) {
        return new StepForm(
                fields.positive("overlap_norm"),
                fields.positive("distinct_draws"),
                fields.positive("alike_draws"),
                fields.positive("prefill_draws"),
                1,
                fields.positive("api_seconds"));
    }

    private static List<Run> runs(CoefficientFields fit) {
        List<Run> runs = new ArrayList<>();
        for (CoefficientFields run : fit.objects("runs")) {
            runs.add(new Run(run.text("run"), run.text("source")));
        }
        return runs;
    }
}
