package dev.kvcast.validator.compare;

import dev.kvcast.report.Markdown;
import dev.kvcast.report.Style;
import dev.kvcast.report.Style.Tone;
import dev.kvcast.report.Table;
import dev.kvcast.report.Table.Cell;
import dev.kvcast.report.Table.Column;
import dev.kvcast.report.TextTable;
import dev.kvcast.report.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A comparison for people: totals, what the errors have in common, worst cells, all cells. */
public final class ComparisonText {

    private static final int WORST = 5;

    /** An error beyond this deserves a look. */
    private static final double NOTABLE = 0.1;

    private final Comparison comparison;

    /** Texts of one comparison. */
    public ComparisonText(Comparison comparison) {
        this.comparison = comparison;
    }

    /** Tables for a terminal. */
    public String render(Style style) {
        StringBuilder text = new StringBuilder(style.paint(Tone.STRONG, headline())).append("\n\n");
        text.append(TextTable.render(summary(), style)).append('\n');
        for (Table table : patterns()) {
            text.append(TextTable.render(table, style)).append('\n');
        }
        if (!comparison.worst(WORST).isEmpty()) {
            text.append(style.paint(Tone.STRONG, "Furthest off")).append('\n');
            text.append(TextTable.render(cells(comparison.worst(WORST)), style)).append('\n');
        }
        text.append(style.paint(Tone.STRONG, "All cells")).append('\n');
        return text.append(TextTable.render(cells(comparison.cells()), style)).toString();
    }

    /** A Markdown page. */
    public String markdown() {
        StringBuilder text = new StringBuilder(headline()).append("\n\n");
        text.append(Markdown.render(summary())).append('\n');
        for (Table table : patterns()) {
            text.append(Markdown.render(table)).append('\n');
        }
        return text.append(Markdown.render(cells(comparison.cells()))).toString();
    }

    private String headline() {
        int wrong = comparison.wrongVerdicts().size();
        return comparison.fit().scenario().model().id() + " on "
                + comparison.fit().scenario().accelerator().name() + ", "
                + comparison.fit().plan().engine() + " "
                + comparison.fit().plan().version() + ": "
                + (comparison.judged() - wrong) + " of " + comparison.judged() + " verdicts came true";
    }

    private Table summary() {
        Table.Builder table = Table.builder(
                Column.words("predicted"),
                Column.numbers("cells"),
                Column.numbers("mean error"),
                Column.numbers("worst"),
                Column.numbers("bias"),
                Column.numbers("in 90% interval"));
        row(table, "decode tok/s", comparison.decode());
        row(table, "prefill tok/s", comparison.prefill());
        row(table, "TTFT of decode cells", comparison.ttft());
        return table.build();
    }

    private static void row(Table.Builder table, String label, Errors errors) {
        if (errors.cells() > 0) {
            table.row(
                    label,
                    String.valueOf(errors.cells()),
                    Units.percent(errors.mean()),
                    Units.percent(errors.worst()),
                    signed(errors.bias()),
                    Units.percent(errors.coverage()));
        }
    }

    private List<Table> patterns() {
        List<Table> tables = new ArrayList<>();
        add(tables, "context", comparison.byContext(), true);
        add(tables, "concurrency", comparison.byConcurrency(), false);
        return tables;
    }

    /** A trend needs two points. */
    private static void add(List<Table> tables, String key, List<Comparison.Group> groups, boolean tokens) {
        if (groups.size() < 2) {
            return;
        }
        Table.Builder table = Table.builder(
                Column.numbers("decode by " + key),
                Column.numbers("cells"),
                Column.numbers("bias"),
                Column.numbers("mean error"));
        for (Comparison.Group group : groups) {
            table.row(
                    tokens ? Units.tokens(group.key()) : String.valueOf(group.key()),
                    String.valueOf(group.errors().cells()),
                    signed(group.errors().bias()),
                    Units.percent(group.errors().mean()));
        }
        tables.add(table.build());
    }

    /** One row for each cell. */
    public static Table cells(List<ComparedCell> cells) {
        Table.Builder table = Table.builder(
                Column.words("phase"),
                Column.numbers("context"),
                Column.numbers("concurrency"),
                Column.words("measured"),
                Column.words("predicted"),
                Column.numbers("tok/s"),
                Column.numbers("predicted tok/s"),
                Column.numbers("low"),
                Column.numbers("high"),
                Column.numbers("error"),
                Column.numbers("TTFT ms"),
                Column.numbers("predicted TTFT ms"));
        for (ComparedCell cell : cells) {
            table.row(row(cell));
        }
        return table.build();
    }

    private static List<Cell> row(ComparedCell cell) {
        List<Cell> row = new ArrayList<>();
        row.add(Cell.of(cell.measured().phase()));
        row.add(Cell.of(Units.tokens(cell.measured().contextTokens())));
        row.add(Cell.of(String.valueOf(cell.measured().concurrency())));
        row.add(Cell.of(cell.measured().status().label()));
        String verdict = cell.verdict().map(found -> found.verdict().label()).orElse("");
        row.add(new Cell(verdict, cell.verdictAgrees().orElse(true) ? Tone.NORMAL : Tone.BAD));
        Optional<ComparedCell.Pair> rate = cell.rate();
        row.add(number(rate.map(ComparedCell.Pair::measured)));
        row.add(number(rate.map(pair -> pair.predicted().value())));
        row.add(number(rate.map(pair -> pair.predicted().low())));
        row.add(number(rate.map(pair -> pair.predicted().high())));
        row.add(rate.map(pair ->
                        new Cell(signed(pair.error()), Math.abs(pair.error()) > NOTABLE ? Tone.CAUTION : Tone.NORMAL))
                .orElse(Cell.of("")));
        row.add(number(cell.ttft().map(ComparedCell.Pair::measured)));
        row.add(number(cell.ttft().map(pair -> pair.predicted().value())));
        return row;
    }

    private static Cell number(Optional<Double> value) {
        return Cell.of(value.map(number -> Units.fixed(number, 1)).orElse(""));
    }

    private static String signed(double share) {
        return (share >= 0 ? "+" : "") + Units.percent(share);
    }
}
