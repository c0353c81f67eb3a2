package dev.kvcast.validator.fit;

import dev.kvcast.plan.Fit;
import dev.kvcast.report.JsonObject;
import dev.kvcast.report.Table;
import dev.kvcast.report.Table.Column;
import dev.kvcast.report.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a calibration did, and which cells to measure next.
 *
 * @param fit the deployment
 * @param calibration the fit; empty where only suggestions were asked for
 * @param suggestions cells to measure, most useful first
 * @param file where the coefficients were written
 * @param notes what was assumed or left out, one line each
 */
public record CalibrationReport(
        Fit fit,
        Optional<Calibration> calibration,
        List<Suggestion> suggestions,
        Optional<String> file,
        List<String> notes) {

    private static final int SCHEMA = 1;

    /** Copies the lists. */
    public CalibrationReport {
        suggestions = List.copyOf(suggestions);
        notes = List.copyOf(notes);
    }

    /** What happened, in one line. */
    public String headline() {
        String deployment = fit.scenario().model().id() + " on "
                + fit.scenario().accelerator().name() + ", " + fit.plan().engine() + " "
                + fit.plan().version();
        if (calibration.isEmpty()) {
            return deployment;
        }
        Calibration found = calibration.get();
        return deployment + ": mean error "
                + Units.percent(meanError(found, Calibration.Cell::before)) + " before, "
                + Units.percent(meanError(found, Calibration.Cell::after)) + " after, on the "
                + found.cells().size() + " cells of the fit";
    }

    private static double meanError(Calibration found, ToDoubleFunction<Calibration.Cell> predicted) {
        return found.cells().stream()
                .mapToDouble(cell -> Math.abs(predicted.applyAsDouble(cell) / cell.measured() - 1))
                .average()
                .orElse(0);
    }

    /** Measured cells with what was predicted before and after; empty without a fit. */
    public Optional<Table> cells() {
        return calibration.map(found -> {
            Table.Builder table = Table.builder(
                    Column.words("cell"),
                    Column.numbers("tok/s"),
                    Column.numbers("before"),
                    Column.numbers("error"),
                    Column.numbers("after"),
                    Column.numbers("error after"),
                    Column.words("remark"));
            for (Calibration.Cell cell : found.cells()) {
                table.row(
                        cell.label(),
                        Units.fixed(cell.measured(), 1),
                        Units.fixed(cell.before(), 1),
                        error(cell.before(), cell.measured()),
                        Units.fixed(cell.after(), 1),
                        error(cell.after(), cell.measured()),
                        cell.outlier() ? "contradicts the others; hardly counted" : "");
            }
            return table.build();
        });
    }

    /** Suggested cells and what each is worth; empty where none were asked for. */
    public Optional<Table> suggested() {
        if (suggestions.isEmpty()) {
            return Optional.empty();
        }
        Table.Builder table = Table.builder(
                Column.words("measure next"), Column.numbers("uncertainty before"), Column.numbers("after"));
        for (Suggestion suggestion : suggestions) {
            table.row(
                    suggestion.cell().label(),
                    Units.percent(suggestion.uncertaintyBefore()),
                    Units.percent(suggestion.uncertaintyAfter()));
        }
        return Optional.of(table.build());
    }

    /** JSON, schema version 1: fields may be added, never renamed. Errors are in percent, rates in tokens per second. */
    public JsonObject json() {
        JsonObject json = new JsonObject()
                .put("schema", SCHEMA)
                .put("status", "ok")
                .put("model", fit.scenario().model().id())
                .put("gpu", fit.scenario().accelerator().name())
                .put("gpu_count", fit.scenario().accelerators())
                .put("engine", fit.plan().engine())
                .put("engine_version", fit.plan().version())
                .putOptional("file", file);
        List<JsonObject> cells = new ArrayList<>();
        calibration.ifPresent(found -> {
            json.put("mape_before_pct", percent(meanError(found, Calibration.Cell::before)))
                    .put("mape_after_pct", percent(meanError(found, Calibration.Cell::after)));
            found.cells().forEach(cell -> cells.add(json(cell)));
        });
        List<JsonObject> next = new ArrayList<>();
        for (Suggestion suggestion : suggestions) {
            next.add(new JsonObject()
                    .put("cell", suggestion.cell().label())
                    .put("uncertainty_before_pct", percent(suggestion.uncertaintyBefore()))
                    .put("uncertainty_after_pct", percent(suggestion.uncertaintyAfter())));
        }
        return json.put("cells", cells).put("suggestions", next).put("notes", notes);
    }

    private static JsonObject json(Calibration.Cell cell) {
        return new JsonObject()
                .put("cell", cell.label())
                .put("measured", cell.measured())
                .put("before", Units.round(cell.before(), 4))
                .put("after", Units.round(cell.after(), 4))
                .put("weight", Units.round(cell.weight(), 4))
                .put("outlier", cell.outlier());
    }

    private static double percent(double share) {
        return Units.round(share * 100, 3);
    }

    private static String error(double predicted, double measured) {
        double share = predicted / measured - 1;
        return (share >= 0 ? "+" : "") + Units.percent(share);
    }
}
