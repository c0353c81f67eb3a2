package dev.kvcast.report;

import java.util.List;

/** Prints a {@link Table} in GitHub's Markdown. */
public final class Markdown {

    private Markdown() {}

    /** The header, the alignment row and the rows. */
    public static String render(Table table) {
        StringBuilder text = new StringBuilder("|");
        for (Table.Column column : table.columns()) {
            text.append(' ').append(escaped(column.header())).append(" |");
        }
        text.append("\n|");
        for (Table.Column column : table.columns()) {
            text.append(column.rightAligned() ? " ---: |" : " --- |");
        }
        text.append('\n');
        for (List<Table.Cell> row : table.rows()) {
            text.append('|');
            for (Table.Cell cell : row) {
                text.append(' ').append(escaped(cell.text())).append(" |");
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace('\n', ' ');
    }
}
