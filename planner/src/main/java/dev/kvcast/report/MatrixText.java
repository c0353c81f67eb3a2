package dev.kvcast.report;

import dev.kvcast.capacity.Verdict;
import dev.kvcast.plan.Limits;
import dev.kvcast.plan.Matrix;
import dev.kvcast.report.Style.Tone;
import dev.kvcast.report.Table.Cell;
import dev.kvcast.report.Table.Column;
import dev.kvcast.throughput.CellSpeed;
import dev.kvcast.throughput.Forecast;
import dev.kvcast.throughput.PrefillSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A matrix as a person reads it.
 *
 * @param matrix the matrix
 * @param intervals whether to show 90% intervals
 */
public record MatrixText(Matrix matrix, boolean intervals) {

    /** What marks a cell that may queue or preempt. */
    private static final String TIGHT_MARK = "~";

    private static final double MILLIS = 1000;

    /** Both tables, each under a line that says what it holds. */
    public String render(Style style) {
        StringBuilder text = new StringBuilder();
        text.append(style.paint(Tone.STRONG, "Decode, tokens per second of all requests"))
                .append(" (")
                .append(TIGHT_MARK)
                .append(" may queue or preempt)\n")
                .append(TextTable.render(grid(), style));
        if (matrix.prefill().stream().anyMatch(prefill -> prefill.speed().isPresent())) {
            text.append('\n')
                    .append(style.paint(Tone.STRONG, "Prefill of one prompt"))
                    .append('\n')
                    .append(TextTable.render(prefill(), style));
        }
        return text.toString();
    }

    /**
     * Decode speed where a cell fits, else the verdict; rows are contexts, columns are concurrencies. The last column is
     * the most requests that fit at a context, the last row the longest context that fits at a concurrency.
     */
    public Table grid() {
        List<Integer> concurrencies = matrix.cells().stream()
                .map(cell -> cell.capacity().cell().concurrency())
                .distinct()
                .toList();
        List<Long> contexts = matrix.cells().stream()
                .map(cell -> cell.capacity().cell().contextTokens())
                .distinct()
                .toList();
        Table.Builder table = Table.builder(columns(concurrencies));
        for (long context : contexts) {
            List<Cell> row = new ArrayList<>();
            row.add(Cell.of(Units.tokens(context)));
            for (int concurrency : concurrencies) {
                row.add(find(context, concurrency).map(this::gridCell).orElse(Cell.of("")));
            }
            row.add(Cell.of(most(context)));
            table.row(row);
        }
        return table.row(longest()).build();
    }

    private List<Cell> longest() {
        List<Cell> row = new ArrayList<>(List.of(Cell.of("longest")));
        for (Limits.LongestContext limit : matrix.limits().contexts()) {
            row.add(Cell.of(limit.contextTokens() < 0 ? "-" : Units.approximateTokens(limit.contextTokens())));
        }
        row.add(Cell.of(""));
        return row;
    }

    private String most(long context) {
        for (Limits.MostRequests limit : matrix.limits().concurrencies()) {
            if (limit.contextTokens() == context) {
                return limit.concurrency() == 0 ? "-" : String.valueOf(limit.concurrency());
            }
        }
        return "";
    }

    /** Speed and time to the first token by prompt length. */
    public Table prefill() {
        Table.Builder table = Table.builder(
                Column.numbers("prompt"),
                Column.numbers("tok/s"),
                Column.numbers("TTFT ms"),
                Column.numbers("TTFT ms, prompt cached"));
        for (Matrix.Prefill prefill : matrix.prefill()) {
            Optional<PrefillSpeed> speed = prefill.speed();
            table.row(
                    Units.tokens(prefill.contextTokens()),
                    speed.map(PrefillSpeed::tokensPerSecond).map(this::number).orElse(Verdict.OVER.label()),
                    speed.map(prompt -> number(prompt.coldSeconds().times(MILLIS)))
                            .orElse(""),
                    speed.map(prompt -> number(prompt.warmSeconds().times(MILLIS)))
                            .orElse(""));
        }
        return table.build();
    }

    private Optional<Matrix.Cell> find(long context, int concurrency) {
        return matrix.cells().stream()
                .filter(cell -> cell.capacity().cell().contextTokens() == context
                        && cell.capacity().cell().concurrency() == concurrency)
                .findFirst();
    }

    private Cell gridCell(Matrix.Cell cell) {
        Verdict verdict = cell.capacity().verdict();
        String mark = verdict == Verdict.TIGHT ? TIGHT_MARK : "";
        String text = cell.speed()
                .map(CellSpeed::tokensPerSecond)
                .map(speed -> mark + number(speed))
                .orElse(verdict.label());
        return new Cell(text, PlanText.tone(verdict));
    }

    private String number(Forecast forecast) {
        String value = rounded(forecast.value());
        return intervals ? value + " (" + rounded(forecast.low()) + "-" + rounded(forecast.high()) + ")" : value;
    }

    private static String rounded(double value) {
        return value >= 100 ? Units.count(Math.round(value)) : Units.fixed(value, 1);
    }

    private static Column[] columns(List<Integer> concurrencies) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.numbers("context"));
        for (int concurrency : concurrencies) {
            columns.add(Column.numbers(String.valueOf(concurrency)));
        }
        columns.add(Column.numbers("most"));
        return columns.toArray(Column[]::new);
    }
}
