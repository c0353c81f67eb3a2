package dev.kvcast.validator.results;

import dev.kvcast.report.Markdown;
import dev.kvcast.report.Table;
import dev.kvcast.report.Table.Cell;
import dev.kvcast.report.Table.Column;
import dev.kvcast.report.Units;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A run as a Markdown page: machine, engine, settings, launch command, prefill, sustained decode, all measurements. */
public final class RunPage {

    private static final String NONE = "—";
    private static final String OVER = "over capacity";

    private RunPage() {}

    /** The page. */
    public static String of(MeasuredRun run) {
        StringBuilder page = new StringBuilder("# Speed test matrix\n\n")
                .append(plain(run.model().orElse("Unnamed model")))
                .append(" on ")
                .append(plain(run.hardware().gpu().orElse("an unnamed GPU")))
                .append(", measured with ")
                .append(plain(run.tool()))
                .append(". Source: ")
                .append(plain(run.source()))
                .append(".\n");
        section(page, "Hardware", facts(hardware(run), run.hardware().details()));
        section(page, "Engine", facts(engine(run), run.engine().details()));
        section(page, "Run", facts(settings(run.settings()), run.settings().details()));
        run.launchCommand()
                .ifPresent(command -> page.append("\n## Launch command\n\n").append(fenced(command)));
        if (!run.prefills().isEmpty()) {
            section(page, "Prefill", Markdown.render(prefill(run.prefills())));
        }
        if (!run.decodes().isEmpty()) {
            section(page, "Sustained decode", Markdown.render(grid(run.decodes())));
            page.append("\nTotal output tokens per second of all requests, and the time to the first token; rows are "
                    + "context lengths, columns simultaneous requests.\n");
        }
        section(page, "All measurements", Markdown.render(all(run.cells())));
        return page.toString();
    }

    private static void section(StringBuilder page, String title, String body) {
        page.append("\n## ").append(title).append("\n\n").append(body);
    }

    private static List<String[]> hardware(MeasuredRun run) {
        List<String[]> facts = new ArrayList<>();
        run.hardware().gpu().ifPresent(gpu -> facts.add(new String[] {"gpu", gpu}));
        run.hardware().gpuCount().ifPresent(count -> facts.add(new String[] {"gpu_count", String.valueOf(count)}));
        return facts;
    }

    private static List<String[]> engine(MeasuredRun run) {
        List<String[]> facts = new ArrayList<>();
        run.engine().name().ifPresent(name -> facts.add(new String[] {"name", name}));
        run.engine().version().ifPresent(version -> facts.add(new String[] {"version", version}));
        return facts;
    }

    private static List<String[]> settings(RunSettings settings) {
        List<String[]> facts = new ArrayList<>();
        if (settings.measureSeconds().isPresent()) {
            facts.add(new String[] {"measure_s", decimal(settings.measureSeconds(), 0)});
        }
        if (settings.maxOutputTokens().isPresent()) {
            facts.add(new String[] {"max_output_tokens", count(settings.maxOutputTokens())});
        }
        facts.add(new String[] {"prompt_sharing", settings.sharing().label()});
        settings.speculative().ifPresent(method -> facts.add(new String[] {"spec_decode", method}));
        return facts;
    }

    private static String facts(List<String[]> known, Map<String, Object> details) {
        Table.Builder table = Table.builder(Column.words("what"), Column.words("value"));
        known.forEach(table::row);
        details.forEach((name, value) -> table.row(name, String.valueOf(value)));
        return Markdown.render(table.build());
    }

    private static Table prefill(List<Prefill> cells) {
        Table.Builder table =
                Table.builder(Column.numbers("context"), Column.numbers("prompt tok/s"), Column.numbers("TTFT"));
        for (Prefill cell : cells) {
            table.row(
                    Units.tokens(cell.contextTokens()),
                    rate(cell.speed().tokensPerSecond()),
                    millis(cell.speed().ttftMillis(), 0));
        }
        return table.build();
    }

    private static Table grid(List<Decode> cells) {
        List<Integer> columns =
                cells.stream().map(Decode::concurrency).distinct().sorted().toList();
        List<Column> headers = new ArrayList<>();
        headers.add(Column.numbers("context"));
        columns.forEach(column -> headers.add(Column.numbers(String.valueOf(column))));
        List<List<Cell>> rows = new ArrayList<>();
        for (long context : cells.stream().map(Decode::contextTokens).distinct().toList()) {
            List<Cell> row = new ArrayList<>();
            row.add(Cell.of(Units.tokens(context)));
            for (int column : columns) {
                Optional<Decode> cell = cells.stream()
                        .filter(one -> one.contextTokens() == context && one.concurrency() == column)
                        .findFirst();
                row.add(Cell.of(cell.map(RunPage::gridText).orElse("")));
            }
            rows.add(row);
        }
        return new Table(headers, rows);
    }

    private static String gridText(Decode cell) {
        if (!cell.valid()) {
            return cell.status() == Status.OVER_CAPACITY ? OVER : cell.status().label();
        }
        String ttft = millis(cell.speed().ttftMillis(), 0);
        return rate(cell.speed().tokensPerSecond()) + (ttft.equals(NONE) ? "" : " (" + ttft + ")");
    }

    private static Table all(List<MeasuredCell> cells) {
        Table.Builder table = Table.builder(
                Column.words("phase"),
                Column.numbers("context"),
                Column.numbers("requests at once"),
                Column.words("status"),
                Column.numbers("total tok/s"),
                Column.numbers("per request tok/s"),
                Column.numbers("TTFT"),
                Column.numbers("time between tokens"),
                Column.numbers("average active requests"),
                Column.numbers("completed requests"),
                Column.numbers("output tokens"),
                Column.numbers("measured for"),
                Column.words("remark"));
        for (MeasuredCell cell : cells) {
            table.row(
                    phase(cell),
                    Units.tokens(cell.contextTokens()),
                    String.valueOf(cell.concurrency()),
                    cell.status() == Status.OVER_CAPACITY ? OVER : cell.status().label(),
                    rate(cell.speed().tokensPerSecond()),
                    decimal(cell.speed().perRequestTokensPerSecond(), 1),
                    millis(cell.speed().ttftMillis(), 0),
                    millis(cell.speed().itlMillis(), 1),
                    decimal(cell.sample().activeRequests(), 2),
                    count(cell.sample().completedRequests()),
                    count(cell.sample().outputTokens()),
                    seconds(cell.sample().seconds()),
                    cell.reason().orElse(""));
        }
        return table.build();
    }

    private static String phase(MeasuredCell cell) {
        if (cell instanceof Decode decode) {
            return decode.window() == Window.DECODE ? "sustained decode" : "mixed";
        }
        return "prefill";
    }

    private static String rate(OptionalDouble value) {
        return decimal(value, 1);
    }

    private static String seconds(OptionalDouble value) {
        String text = decimal(value, 1);
        return text.equals(NONE) ? text : text + " s";
    }

    private static String millis(OptionalDouble value, int decimals) {
        String text = decimal(value, decimals);
        return text.equals(NONE) ? text : text + " ms";
    }

    private static String decimal(OptionalDouble value, int decimals) {
        boolean shown = value.isPresent() && Double.isFinite(value.getAsDouble());
        return shown ? grouped(Units.fixed(value.getAsDouble(), decimals)) : NONE;
    }

    /** A decimal number with a comma at every third digit before the point. */
    private static String grouped(String number) {
        int point = number.indexOf('.');
        String whole = point < 0 ? number : number.substring(0, point);
        return whole.length() > 15 ? number : Units.count(Long.parseLong(whole)) + number.substring(whole.length());
    }

    private static String count(OptionalLong value) {
        return value.isPresent() ? Units.count(value.getAsLong()) : NONE;
    }

    /** Text of a file between the page's own words: no line breaks, no markup. */
    private static String plain(String text) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '<' || c == '>' || c == '[' || c == ']' || c == '*' || c == '`' || c == '_' || c == '\\') {
                safe.append('\\');
            }
            safe.append(Character.isISOControl(c) ? ' ' : c);
        }
        return safe.toString();
    }

    private static String fenced(String command) {
        StringBuilder fence = new StringBuilder("```");
        while (command.contains(fence)) {
            fence.append('`');
        }
        return fence + "sh\n" + command.strip() + "\n" + fence + "\n";
    }
}
