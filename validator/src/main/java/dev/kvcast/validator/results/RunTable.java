package dev.kvcast.validator.results;

import dev.kvcast.report.Table;
import dev.kvcast.report.Table.Column;
import java.math.BigDecimal;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The cells of a run as a table with the names of the JSON form, for CSV. */
public final class RunTable {

    private RunTable() {}

    /** One row for each cell; empty fields where nothing was measured. */
    public static Table of(MeasuredRun run) {
        Table.Builder table = Table.builder(
                Column.words("phase"),
                Column.numbers("context_tokens"),
                Column.numbers("concurrency"),
                Column.words("status"),
                Column.numbers("total_tok_s"),
                Column.numbers("per_request_tok_s"),
                Column.numbers("ttft_ms"),
                Column.numbers("itl_ms"),
                Column.numbers("active_requests"),
                Column.numbers("completed_requests"),
                Column.numbers("actual_input_tokens"),
                Column.numbers("output_tokens"),
                Column.numbers("measured_s"),
                Column.words("reason"));
        for (MeasuredCell cell : run.cells()) {
            table.row(
                    cell.phase(),
                    String.valueOf(cell.contextTokens()),
                    String.valueOf(cell.concurrency()),
                    cell.status().label(),
                    text(cell.speed().tokensPerSecond()),
                    text(cell.speed().perRequestTokensPerSecond()),
                    text(cell.speed().ttftMillis()),
                    text(cell.speed().itlMillis()),
                    text(cell.sample().activeRequests()),
                    text(cell.sample().completedRequests()),
                    text(cell.sample().inputTokens()),
                    text(cell.sample().outputTokens()),
                    text(cell.sample().seconds()),
                    cell.reason().orElse(""));
        }
        return table.build();
    }

    private static String text(OptionalDouble value) {
        if (value.isEmpty() || !Double.isFinite(value.getAsDouble())) {
            return "";
        }
        BigDecimal exact = BigDecimal.valueOf(value.getAsDouble());
        return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
    }

    private static String text(OptionalLong value) {
        return value.isPresent() ? String.valueOf(value.getAsLong()) : "";
    }
}
