package dev.kvcast.simulate.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.kvcast.model.InputException;
import dev.kvcast.simulate.workload.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Traces in CSV: kvcast's own, and those of Azure (2023 and 2024), BurstGPT and Vidur. */
final class CsvTraces {

    private static final String EXPECTED = "expected the columns arrival_s,input_tokens,output_tokens"
            + "[,prefix_id,prefix_tokens] (kvcast), TIMESTAMP,ContextTokens,GeneratedTokens (Azure),"
            + " Timestamp,...,Request tokens,Response tokens (BurstGPT)"
            + " or arrived_at,num_prefill_tokens,num_decode_tokens (Vidur)";

    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

    /** Which column of a file means what. */
    private record Columns(int time, boolean clock, int input, int output, int prefix, int prefixTokens) {

        static Optional<Columns> of(List<String> header) {
            List<String> names = header.stream()
                    .map(name -> name.strip().replace("\uFEFF", "").toLowerCase(Locale.ROOT))
                    .toList();
            int prefix = names.indexOf("prefix_id");
            int prefixTokens = names.indexOf("prefix_tokens");
            return first(
                    find(names, "arrival_s", false, "input_tokens", "output_tokens", prefix, prefixTokens),
                    find(names, "timestamp", true, "contexttokens", "generatedtokens", -1, -1),
                    find(names, "timestamp", false, "request tokens", "response tokens", -1, -1),
                    find(names, "arrived_at", false, "num_prefill_tokens", "num_decode_tokens", -1, -1));
        }

        private static Optional<Columns> find(
                List<String> names, String time, boolean clock, String input, String output, int prefix, int tokens) {
            Columns columns = new Columns(
                    names.indexOf(time), clock, names.indexOf(input), names.indexOf(output), prefix, tokens);
            boolean all = columns.time >= 0 && columns.input >= 0 && columns.output >= 0;
            return all ? Optional.of(columns) : Optional.empty();
        }

        @SafeVarargs
        private static Optional<Columns> first(Optional<Columns>... candidates) {
            for (Optional<Columns> candidate : candidates) {
                if (candidate.isPresent()) {
                    return candidate;
                }
            }
            return Optional.empty();
        }

        int last() {
            return Math.max(Math.max(time, input), output);
        }
    }

    private CsvTraces() {}

    static void read(Path file, TraceFile.RowCollector rows) throws IOException {
        try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(file)) {
            Iterator<CsvRecord> records = reader.iterator();
            List<String> header = records.next().getFields();
            Columns columns = Columns.of(header)
                    .orElseThrow(() -> rows.wrong("columns " + String.join(",", header) + " are unknown; " + EXPECTED));
            while (records.hasNext()) {
                add(records.next(), columns, rows);
            }
        } catch (CsvParseException e) {
            throw rows.wrong("not readable as CSV: " + reason(e)).because(e);
        }
    }

    /** The reader says where, its cause says what. */
    private static String reason(CsvParseException problem) {
        Throwable cause = problem.getCause();
        return cause == null ? problem.getMessage() : problem.getMessage() + ": " + cause.getMessage();
    }

    private static void add(CsvRecord record, Columns columns, TraceFile.RowCollector rows) {
        long line = record.getStartingLineNumber();
        if (record.getFieldCount() <= columns.last()) {
            throw rows.wrong(line, record.getFieldCount() + " fields; expected " + (columns.last() + 1) + " or more");
        }
        double seconds = columns.clock()
                ? clock(record.getField(columns.time()), line, rows)
                : seconds(record.getField(columns.time()), line, rows);
        rows.add(
                line,
                seconds,
                whole(record.getField(columns.input()), "input tokens", line, rows),
                whole(record.getField(columns.output()), "output tokens", line, rows),
                prefix(record, columns, line, rows));
    }

    private static List<Trace.Piece> prefix(CsvRecord record, Columns columns, long line, TraceFile.RowCollector rows) {
        if (columns.prefix() < 0
                || columns.prefixTokens() < 0
                || record.getFieldCount() <= Math.max(columns.prefix(), columns.prefixTokens())
                || record.getField(columns.prefix()).isBlank()) {
            return List.of();
        }
        long tokens = whole(record.getField(columns.prefixTokens()), "prefix tokens", line, rows);
        long input = whole(record.getField(columns.input()), "input tokens", line, rows);
        if (tokens < 0 || tokens > input) {
            throw rows.wrong(line, "prefix of " + tokens + " tokens in a prompt of " + input);
        }
        long id = record.getField(columns.prefix()).strip().hashCode() & 0xFFFFFFFFL;
        return tokens == 0 ? List.of() : List.of(new Trace.Piece(id, (int) tokens));
    }

    private static double seconds(String text, long line, TraceFile.RowCollector rows) {
        try {
            double value = Double.parseDouble(text.strip());
            if (value < 0) {
                throw rows.wrong(line, "time " + text + " is negative; count seconds from the start");
            }
            return value;
        } catch (NumberFormatException e) {
            throw rows.wrong(line, "'" + text + "' is no time in seconds").because(e);
        }
    }

    /** A wall clock time, such as {@code 2023-11-16 18:17:03.9799600} or {@code 2024-05-10 00:00:00.009930+00:00}. */
    private static double clock(String text, long line, TraceFile.RowCollector rows) {
        String time = text.strip().replace(' ', 'T');
        int zone = Math.max(time.indexOf('+'), time.indexOf('Z'));
        try {
            LocalDateTime parsed = LocalDateTime.parse(zone > 0 ? time.substring(0, zone) : time);
            return ChronoUnit.MICROS.between(EPOCH, parsed) * 1e-6;
        } catch (DateTimeParseException e) {
            throw rows.wrong(line, "'" + text + "' is no time; expected 2023-11-16 18:17:03.97")
                    .because(e);
        }
    }

    private static long whole(String text, String what, long line, TraceFile.RowCollector rows) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw notWhole(text, what, line, rows).because(e);
        }
    }

    private static InputException notWhole(String text, String what, long line, TraceFile.RowCollector rows) {
        return rows.wrong(line, "'" + text + "' is no number of " + what);
    }
}
