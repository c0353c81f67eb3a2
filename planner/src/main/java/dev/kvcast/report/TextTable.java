package dev.kvcast.report;

import dev.kvcast.report.Style.Tone;
import dev.kvcast.report.Table.Cell;
import dev.kvcast.report.Table.Column;
import java.util.List;

/** Prints a {@link Table} with aligned columns, as a terminal shows it. A code point counts as one column. */
public final class TextTable {

    private static final String GAP = "  ";

    private TextTable() {}

    /** The header, a rule and the rows, each ended by a line feed; no line ends in blanks. */
    public static String render(Table table, Style style) {
        int[] widths = widths(table);
        StringBuilder text = new StringBuilder();
        List<Column> columns = table.columns();
        for (int i = 0; i < widths.length; i++) {
            boolean last = i == widths.length - 1;
            append(text, new Cell(columns.get(i).header(), Tone.STRONG), columns.get(i), widths[i], last, style);
        }
        for (int i = 0; i < widths.length; i++) {
            text.append("-".repeat(widths[i])).append(i == widths.length - 1 ? "\n" : GAP);
        }
        for (List<Cell> row : table.rows()) {
            for (int i = 0; i < widths.length; i++) {
                append(text, row.get(i), columns.get(i), widths[i], i == widths.length - 1, style);
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Cell cell, Column column, int width, boolean last, Style style) {
        int blanks = width - width(cell.text());
        if (column.rightAligned()) {
            text.append(" ".repeat(blanks));
        }
        text.append(cell.text().isEmpty() ? "" : style.paint(cell.tone(), cell.text()));
        if (last) {
            trimEnd(text);
            text.append('\n');
        } else {
            text.append(column.rightAligned() ? "" : " ".repeat(blanks)).append(GAP);
        }
    }

    private static void trimEnd(StringBuilder text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        text.setLength(end);
    }

    private static int[] widths(Table table) {
        int[] widths = new int[table.columns().size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = width(table.columns().get(i).header());
            for (List<Cell> row : table.rows()) {
                widths[i] = Math.max(widths[i], width(row.get(i).text()));
            }
        }
        return widths;
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
