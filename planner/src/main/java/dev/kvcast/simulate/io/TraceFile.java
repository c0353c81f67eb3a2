package dev.kvcast.simulate.io;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.workload.Trace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A trace as read from a file.
 *
 * @param trace its requests, in order of arrival, the first at 0 if the file says when they came
 * @param timed whether the file says when they came
 * @param notes what was left out or changed, one sentence each
 */
public record TraceFile(Trace trace, boolean timed, List<String> notes) {

    /** Copies the list. */
    public TraceFile {
        notes = List.copyOf(notes);
    }

    /**
     * Reads a trace, whose form its first line tells: CSV with the columns of kvcast, Azure, BurstGPT or Vidur, JSON
     * lines of Mooncake or vLLM's custom data set, or a ShareGPT array.
     *
     * @throws InputException for a file that is missing, of no known form, or wrong somewhere; the message names the line
     */
    public static TraceFile read(Path file) {
        try {
            char first = firstCharacter(file);
            RowCollector rows = new RowCollector(file);
            if (first == '[') {
                TextTraces.readShareGpt(file, rows);
            } else if (first == '{') {
                TextTraces.readLines(file, rows);
            } else {
                CsvTraces.read(file, rows);
            }
            return rows.finish();
        } catch (NoSuchFileException e) {
            throw InputException.badInput(file + " does not exist; give the path of a trace")
                    .because(e);
        } catch (CharacterCodingException e) {
            throw InputException.badInput(file + " is not UTF-8 text; give a CSV, JSON or JSONL trace")
                    .because(e);
        } catch (IOException e) {
            throw InputException.badInput(file + " cannot be read: " + e.getMessage())
                    .because(e);
        }
    }

    private static char firstCharacter(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int character = reader.read();
            while (character >= 0 && (Character.isWhitespace(character) || character == '\uFEFF')) {
                character = reader.read();
            }
            if (character < 0) {
                throw InputException.badInput(file + " is empty; expected a trace");
            }
            return (char) character;
        }
    }

    /** Takes rows in, checks them, and puts them in order. */
    static final class RowCollector {

        /** Longest prompt or output taken seriously. */
        private static final long MOST_TOKENS = 1L << 27;

        private final Path file;
        private final List<Trace.Row> rows = new ArrayList<>();
        private boolean timed = true;
        private int withoutOutput;
        private boolean estimated;

        RowCollector(Path file) {
            this.file = file;
        }

        /** Says that the file has no times. */
        void untimed() {
            timed = false;
        }

        /** Says that the file has texts, whose tokens had to be estimated. */
        void estimated() {
            estimated = true;
        }

        /** Takes a row in. */
        void add(long line, double seconds, long input, long output, List<Trace.Piece> prefixes) {
            if (!(Math.abs(seconds) < 1e15)) {
                throw wrong(line, "time " + seconds + " is not a number of seconds");
            }
            if (output == 0) {
                withoutOutput++;
                return;
            }
            rows.add(new Trace.Row(
                    seconds, tokens(line, "input tokens", input), tokens(line, "output tokens", output), prefixes));
        }

        private int tokens(long line, String what, long value) {
            if (value < 1 || value > MOST_TOKENS) {
                throw wrong(line, value + " " + what + "; expected 1 to " + MOST_TOKENS);
            }
            return (int) value;
        }

        /** What to say about a line. */
        InputException wrong(long line, String problem) {
            return InputException.badInput(file + " line " + line + ": " + problem);
        }

        /** What to say about the file. */
        InputException wrong(String problem) {
            return InputException.badInput(file + ": " + problem);
        }

        TraceFile finish() {
            if (rows.isEmpty()) {
                throw wrong("no request with an output");
            }
            List<String> notes = new ArrayList<>();
            if (withoutOutput > 0) {
                notes.add(file + ": " + withoutOutput + " requests without output were left out");
            }
            if (estimated) {
                notes.add(file + ": texts were counted as one token per " + TextTraces.CHARACTERS_PER_TOKEN
                        + " characters");
            }
            List<Trace.Row> sorted = timed ? sorted(notes) : rows;
            return new TraceFile(new Trace(sorted), timed, notes);
        }

        private List<Trace.Row> sorted(List<String> notes) {
            for (int i = 1; i < rows.size(); i++) {
                if (rows.get(i).arrivalSeconds() < rows.get(i - 1).arrivalSeconds()) {
                    notes.add(file + ": its rows are not in order of time; they were sorted");
                    break;
                }
            }
            rows.sort(Comparator.comparingDouble(Trace.Row::arrivalSeconds));
            double start = rows.get(0).arrivalSeconds();
            rows.replaceAll(row ->
                    new Trace.Row(row.arrivalSeconds() - start, row.inputTokens(), row.outputTokens(), row.prefixes()));
            return rows;
        }
    }
}
