package dev.kvcast.cli;

import dev.kvcast.report.Csv;
import dev.kvcast.report.Markdown;
import dev.kvcast.report.Table;
import dev.kvcast.report.TextTable;

/** Prints a table in the form that was chosen; JSON has its own writers. */
final class Tables {

    private Tables() {}

    static String render(Table table, SharedOptions.Choice choice) {
        return switch (choice.format()) {
            case CSV -> Csv.render(table);
            case MD -> Markdown.render(table);
            case TABLE, JSON -> TextTable.render(table, choice.style());
        };
    }
}
