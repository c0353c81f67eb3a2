package dev.kvcast.simulate.io;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.RunLog;
import dev.kvcast.simulate.SimulationResult;
import dev.kvcast.simulate.TimeSeries;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes what became of every request, and of the run over time, as CSV. */
public final class RequestLog {

    private static final String REQUESTS = "id,arrival_s,input_tokens,output_tokens,scheduled_s,first_token_s,"
            + "last_token_s,preemptions,cached_tokens\n";

    private static final String SERIES = "time_s,running,waiting,kv_usage,output_tok_s\n";

    private RequestLog() {}

    /**
     * Writes one line a request, in order of its number; times not reached are empty.
     *
     * @throws InputException if the file cannot be written
     */
    public static void write(Path file, SimulationResult result) {
        RequestTable requests = result.requests();
        RunLog log = result.log();
        write(file, REQUESTS, out -> {
            for (int i = 0; i < requests.size(); i++) {
                out.write(i + "," + seconds(requests.arrivalSeconds(i)) + "," + requests.promptTokens(i) + ","
                        + requests.outputTokens(i) + "," + seconds(log.scheduledSeconds(i)) + ","
                        + seconds(log.firstTokenSeconds(i)) + "," + seconds(log.lastTokenSeconds(i)) + ","
                        + log.preemptions(i) + "," + log.cachedTokens(i) + "\n");
            }
        });
    }

    /**
     * Writes one line a stretch of time.
     *
     * @throws InputException if the file cannot be written
     */
    public static void writeSeries(Path file, SimulationResult result) {
        TimeSeries series = result.series();
        write(file, SERIES, out -> {
            for (int i = 0; i < series.rows(); i++) {
                out.write(seconds(i * series.rowSeconds()) + "," + series.running(i) + "," + series.waiting(i) + ","
                        + decimal(series.usage(i), 4) + "," + decimal(series.tokens(i) / series.rowSeconds(), 3)
                        + "\n");
            }
        });
    }

    /** What a file holds. */
    private interface Lines {
        void writeTo(BufferedWriter out) throws IOException;
    }

    private static void write(Path file, String header, Lines lines) {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(header);
            lines.writeTo(out);
        } catch (IOException e) {
            throw InputException.badInput(file + " cannot be written: " + e.getMessage())
                    .because(e);
        }
    }

    private static String seconds(double value) {
        return Double.isNaN(value) ? "" : decimal(value, 6);
    }

    private static String decimal(double value, int digits) {
        return BigDecimal.valueOf(value)
                .setScale(digits, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
