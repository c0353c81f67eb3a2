package dev.kvcast.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Columns and rows, ready for any of the tabular {@link Format}s.
 *
 * @param columns headers and alignment, at least one
 * @param rows as many cells in each as there are columns
 */
public record Table(List<Column> columns, List<List<Cell>> rows) {

    /** Checks that every row has a cell for every column. */
    public Table {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a table needs a column");
        }
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "row has " + row.size() + " cells; the table has " + columns.size() + " columns");
            }
        }
        rows = List.copyOf(rows);
    }

    /**
     * A column.
     *
     * @param header what stands above it; the name in CSV
     * @param rightAligned true for numbers
     */
    public record Column(String header, boolean rightAligned) {

        /** A column of words. */
        public static Column words(String header) {
            return new Column(header, false);
        }

        /** A column of numbers, aligned right. */
        public static Column numbers(String header) {
            return new Column(header, true);
        }
    }

    /**
     * What stands in a row and column.
     *
     * @param text without escapes or line breaks
     * @param tone how a terminal shows it
     */
    public record Cell(String text, Style.Tone tone) {

        /** A cell without emphasis. */
        public static Cell of(String text) {
            return new Cell(text, Style.Tone.NORMAL);
        }
    }

    /** Starts a table with the given columns. */
    public static Builder builder(Column... columns) {
        return new Builder(List.of(columns));
    }

    /** Collects rows; not for use by several threads. */
    public static final class Builder {

        private final List<Column> columns;
        private final List<List<Cell>> rows = new ArrayList<>();

        private Builder(List<Column> columns) {
            this.columns = columns;
        }

        /** Adds a row of plain cells. */
        public Builder row(String... texts) {
            List<Cell> cells = new ArrayList<>(texts.length);
            for (String text : texts) {
                cells.add(Cell.of(text));
            }
            rows.add(Collections.unmodifiableList(cells));
            return this;
        }

        /** Adds a row. */
        public Builder row(List<Cell> cells) {
            rows.add(List.copyOf(cells));
            return this;
        }

        /** The table so far. */
        public Table build() {
            return new Table(columns, rows);
        }
    }
}
