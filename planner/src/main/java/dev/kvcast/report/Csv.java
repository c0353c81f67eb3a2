package dev.kvcast.report;

import java.util.ArrayList;
import java.util.List;

/** Prints comma-separated values as RFC 4180 has them, with line feeds. */
public final class Csv {

    private Csv() {}

    /** The header line and the rows. */
    public static String render(Table table) {
        StringBuilder text = new StringBuilder();
        List<String> headers = new ArrayList<>();
        for (Table.Column column : table.columns()) {
            headers.add(column.header());
        }
        text.append(line(headers));
        for (List<Table.Cell> row : table.rows()) {
            List<String> fields = new ArrayList<>();
            for (Table.Cell cell : row) {
                fields.add(cell.text());
            }
            text.append(line(fields));
        }
        return text.toString();
    }

    /** One record, ended by a line feed; a field is quoted where it must be. */
    public static String line(List<String> fields) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            text.append(i == 0 ? "" : ",").append(field(fields.get(i)));
        }
        return text.append('\n').toString();
    }

    private static String field(String value) {
        boolean plain = true;
        for (int i = 0; i < value.length() && plain; i++) {
            char c = value.charAt(i);
            plain = c != ',' && c != '"' && c != '\n' && c != '\r';
        }
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
