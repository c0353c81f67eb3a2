package dev.kvcast.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.model.InputException;
import dev.kvcast.report.JsonOut;
import dev.kvcast.report.PlanJson;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Answers one scenario a line, in order, never stopping at a bad one. */
final class Batch {

    /** A line longer than this is not a scenario. */
    private static final int LONGEST_LINE = 1 << 20;

    private Batch() {}

    /**
     * Runs a batch.
     *
     * @param file lines of JSON, {@code -} for standard input; blank lines are skipped
     * @param answer turns one parsed line into one line of output
     * @return always {@link ExitCode#OK}: each line carries its own status
     */
    static int run(Path file, PrintWriter out, Function<Map<String, Object>, String> answer) {
        try (BufferedReader lines = open(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    out.print(answered(line, answer));
                }
            }
        } catch (IOException e) {
            throw InputException.badInput("--batch " + file + " cannot be read: " + e.getMessage())
                    .because(e);
        }
        return ExitCode.OK;
    }

    /** Bytes that are not UTF-8 spoil their own line, not the batch. */
    private static BufferedReader open(Path file) throws IOException {
        return file.toString().equals("-")
                ? new BufferedReader(
                        new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))
                : new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8));
    }

    private static String answered(String line, Function<Map<String, Object>, String> answer) {
        Optional<String> id = Optional.empty();
        try {
            Map<String, Object> scenario = parse(line);
            id = Optional.ofNullable(scenario.get("id")).map(String::valueOf);
            return answer.apply(scenario);
        } catch (InputException e) {
            return JsonOut.compact(PlanJson.error(id, e));
        } catch (ArithmeticException e) {
            return JsonOut.compact(PlanJson.error(
                    id, InputException.badInput("the sizes are too large to compute with: " + e.getMessage())));
        }
    }

    private static Map<String, Object> parse(String line) {
        if (line.length() > LONGEST_LINE) {
            throw InputException.badInput("a line of " + line.length() + " characters is no scenario");
        }
        try {
            Map<String, Object> scenario = JSON.std.mapFrom(line);
            if (scenario == null) {
                throw InputException.badInput("not a JSON object: null");
            }
            return scenario;
        } catch (IOException e) {
            throw InputException.badInput("not a JSON object: " + firstLine(e)).because(e);
        }
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
    }
}
