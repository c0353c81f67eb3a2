package dev.kvcast.validator.results;

import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * llm-inference-bench ({@code llm_decode_bench.py}), versions of March 2026 to 0.7: {@code metadata}, {@code prefill}
 * by context, {@code results} and {@code summary_table}. All its times are seconds, its rates tokens per second. The C
 * streams of a cell share one prompt. Cells it skipped for lack of KV cache are not in the file; they are told from
 * {@code max_total_tokens}, the budget it compares {@code concurrency x (context + max_tokens)} with.
 */
final class LlmInferenceBenchReader implements RunReader {

    static final String TOOL = "llm-inference-bench";

    private static final int MOST_CELLS = 100_000;

    @Override
    public String tool() {
        return TOOL;
    }

    @Override
    public boolean recognizes(Fields first) {
        boolean results = first.values().get("results") instanceof List<?> list
                && list.stream().anyMatch(item -> item instanceof Map<?, ?> map && map.containsKey("aggregate_tps"));
        return first.object("metadata")
                        .map(metadata -> metadata.has("decode_mode"))
                        .orElse(false)
                || (results && first.has("summary_table"));
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Fields file = documents.next().orElseThrow();
        Fields metadata = file.requiredObject("metadata");
        List<String> notes = new ArrayList<>();
        List<MeasuredCell> cells = new ArrayList<>(prefills(file));
        Set<String> present = new HashSet<>();
        boolean speculative = false;
        for (Fields result : file.objects("results")) {
            OptionalDouble accepted = result.number("server_spec_accept_rate");
            speculative |= accepted.isPresent() && accepted.getAsDouble() > 0;
            Decode cell = decode(result, nullInSummary(file, result));
            present.add(cell.label());
            cells.add(cell);
        }
        cells.addAll(skipped(metadata, present, notes));
        String version = metadata.text("version").map(text -> " " + text).orElse("");
        return new MeasuredRun(
                file.where(),
                TOOL + version,
                MeasuredRun.Hardware.UNKNOWN,
                metadata.text("engine").map(MeasuredRun.Engine::named).orElse(MeasuredRun.Engine.UNKNOWN),
                metadata.text("model"),
                Optional.empty(),
                RunSettings.of(
                        cells,
                        sharing(metadata),
                        metadata.whole("max_tokens"),
                        metadata.number("duration_per_test"),
                        speculative ? Optional.of("unnamed") : Optional.empty()),
                cells,
                notes);
    }

    private static PromptSharing sharing(Fields metadata) {
        OptionalDouble unique = metadata.number("unique_context_percent");
        if (unique.isEmpty() || unique.getAsDouble() == 0) {
            return PromptSharing.SHARED;
        }
        return unique.getAsDouble() == 100 ? PromptSharing.DISTINCT : PromptSharing.UNKNOWN;
    }

    private static List<MeasuredCell> prefills(Fields file) {
        Optional<Fields> table = file.object("prefill");
        List<MeasuredCell> cells = new ArrayList<>();
        for (String context :
                table.map(fields -> List.copyOf(fields.values().keySet())).orElse(List.of())) {
            Fields entry = table.orElseThrow().requiredObject(context);
            Speed speed = new Speed(
                    OptionalDouble.of(entry.required("tok_per_sec")),
                    OptionalDouble.empty(),
                    millis(entry.number("ttft_seconds")),
                    OptionalDouble.empty());
            Sample sample = new Sample(
                    OptionalDouble.empty(),
                    entry.whole("samples"),
                    entry.number("prompt_tokens"),
                    OptionalLong.empty(),
                    OptionalDouble.empty());
            cells.add(new Prefill(tokens(entry, context), 1, Status.VALID, speed, sample, Optional.empty()));
        }
        return cells;
    }

    private static long tokens(Fields entry, String context) {
        try {
            return Long.parseLong(context);
        } catch (NumberFormatException e) {
            throw entry.wrong("prefill", context, "a context in tokens as its key");
        }
    }

    private static Decode decode(Fields result, boolean invalid) {
        double rate = result.required("aggregate_tps");
        Status status = rate == -1 || result.isTrue("capacity_limited")
                ? Status.OVER_CAPACITY
                : rate < 0 || invalid ? Status.FAILED : Status.VALID;
        Speed speed = new Speed(
                rate < 0 ? OptionalDouble.empty() : OptionalDouble.of(rate),
                result.firstNumber("output_tps_per_user_p50", "per_request_avg_tps"),
                millis(result.firstNumber("ttft_p50", "ttft_avg")),
                millis(result.firstNumber("inter_token_latency_p50", "inter_token_latency_avg")));
        Sample sample = new Sample(
                result.number("avg_running_reqs"),
                result.has("completed_request_count")
                        ? result.whole("completed_request_count")
                        : result.whole("num_completed"),
                result.number("input_seq_len_avg"),
                result.has("client_output_tokens")
                        ? result.whole("client_output_tokens")
                        : result.whole("total_tokens"),
                result.firstNumber("measurement_wall_seconds", "measurement_seconds", "wall_time"));
        Optional<String> reason = status == Status.VALID
                ? Optional.empty()
                : result.text("timeout_reason")
                        .or(() -> Optional.of(
                                status == Status.FAILED
                                        ? "invalid in the benchmark's own summary"
                                        : "the server did not hold that many requests"));
        return new Decode(
                result.requiredWhole("context_tokens"),
                result.requiredCount("concurrency"),
                status,
                Window.DECODE,
                speed,
                sample,
                reason);
    }

    /** Since 0.6.0 an invalid cell stays in the list and is null in the summary. */
    private static boolean nullInSummary(Fields file, Fields result) {
        Optional<Fields> row = file.object("summary_table")
                .flatMap(table -> table.object(result.text("context_tokens").orElse("")));
        return row.isPresent() && !row.get().has(result.text("concurrency").orElse(""));
    }

    private static List<MeasuredCell> skipped(Fields metadata, Set<String> present, List<String> notes) {
        OptionalLong output = metadata.whole("max_tokens");
        OptionalLong budget = metadata.whole("max_total_tokens");
        List<MeasuredCell> cells = new ArrayList<>();
        int unknown = 0;
        List<Long> contexts = metadata.wholes("context_lengths");
        List<Long> concurrencies = metadata.wholes("concurrency_levels");
        if ((long) contexts.size() * concurrencies.size() > MOST_CELLS) {
            throw metadata.wrong("context_lengths", contexts.size() + " long", "at most " + MOST_CELLS + " cells");
        }
        for (long context : contexts) {
            for (long concurrency : concurrencies) {
                int requests = (int) Math.min(Math.max(1, concurrency), 1 << 20);
                double needed = (double) requests * (context + output.orElse(0));
                Decode cell = new Decode(
                        context,
                        requests,
                        Status.OVER_CAPACITY,
                        Window.DECODE,
                        Speed.NONE,
                        Sample.NONE,
                        Optional.empty());
                if (present.contains(cell.label())) {
                    continue;
                }
                if (budget.isPresent() && budget.getAsLong() > 0 && needed > budget.getAsLong()) {
                    cells.add(cell);
                } else {
                    unknown++;
                }
            }
        }
        if (unknown > 0) {
            notes.add("cells of the grid left out, neither in the file nor over its KV budget: " + unknown);
        }
        return cells;
    }

    private static OptionalDouble millis(OptionalDouble seconds) {
        return seconds.isPresent() ? OptionalDouble.of(seconds.getAsDouble() * 1000) : seconds;
    }
}
