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

/** Reads one engine's fit. */
final class EngineCoefficientsReader {

    private EngineCoefficientsReader() {}

    static EngineCoefficients read(CoefficientFields fit) {
        List<Entry> entries = new ArrayList<>();
        for (CoefficientFields fields : fit.objects("coefficients")) {
            entries.add(entry(fields));
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
                covariance(fit, entries.size()),
                offsets,
                residuals(fit.object("residual_sd")),
                form(fit.object("form")),
                fit.object("cache_shares").numbers(),
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

    private static List<double[]> covariance(CoefficientFields fit, int size) {
        List<?> rows = fit.list("covariance");
        List<double[]> triangle = new ArrayList<>();
        for (Object row : rows) {
            int length = triangle.size() + 1;
            if (!(row instanceof List<?> values) || values.size() != length) {
                throw fit.problem("covariance", "is a lower triangle, row " + length + " of " + length + " numbers");
            }
            double[] numbers = new double[length];
            for (int i = 0; i < length; i++) {
                numbers[i] = values.get(i) instanceof Number number ? number.doubleValue() : Double.NaN;
            }
            boolean valid = numbers[length - 1] >= 0;
            for (double number : numbers) {
                valid &= Double.isFinite(number);
            }
            if (!valid) {
                throw fit.problem("covariance", "has finite numbers and no negative variance");
            }
            triangle.add(numbers);
        }
        if (triangle.size() != size) {
            throw fit.problem("covariance", "has a row for each of the " + size + " coefficients");
        }
        return triangle;
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
