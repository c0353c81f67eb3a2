package dev.kvcast.validator.results;

import dev.kvcast.validator.results.MeasuredCell.Decode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * {@code vllm bench serve}, {@code vllm bench sweep} and SGLang's {@code bench_serving}, which grew from one script. Each
 * JSON object is one test: {@code duration} in seconds, {@code output_throughput} in tokens per second of a window that
 * holds prefill, latencies in milliseconds with their unit in the name. vLLM's file names neither the card nor the
 * engine's version; what {@code --metadata gpu=... engine_version=...} added is used.
 */
final class ServeBenchReader implements RunReader {

    /** Which of the two scripts wrote the file. */
    enum Dialect {
        VLLM("vllm bench serve", "mean_e2el_ms"),
        SGLANG("sglang bench_serving", "mean_e2e_latency_ms");

        private final String tool;
        private final String latency;

        Dialect(String tool, String latency) {
            this.tool = tool;
            this.latency = latency;
        }
    }

    private final Dialect dialect;

    ServeBenchReader(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public String tool() {
        return dialect.tool;
    }

    @Override
    public boolean recognizes(Fields first) {
        boolean sglang = first.has(Dialect.SGLANG.latency);
        return first.has("request_throughput")
                && (dialect == Dialect.SGLANG
                        ? sglang
                        : !sglang && first.has("mean_ttft_ms") && (first.has("backend") || first.has("endpoint_type")));
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Agreed model = new Agreed("model");
        Agreed backend = new Agreed("backend");
        Agreed gpu = new Agreed("GPU");
        Agreed version = new Agreed("engine version");
        Agreed sharing = new Agreed("data set");
        List<MeasuredCell> cells = new ArrayList<>();
        boolean speculative = false;
        boolean repeated = false;
        String source = documents.name();
        for (Optional<Fields> next = documents.next(); next.isPresent(); next = documents.next()) {
            Fields test = next.get();
            model.see(test.text("model_id").or(() -> test.text("model")), test);
            backend.see(test.text("backend").or(() -> test.text("endpoint_type")), test);
            gpu.see(test.text("gpu"), test);
            version.see(test.text("engine_version"), test);
            sharing.see(test.text("dataset_name"), test);
            OptionalDouble accepted = test.firstNumber("accept_length", "spec_decode_acceptance_length");
            speculative |= accepted.isPresent() && accepted.getAsDouble() > 1;
            repeated |= test.has("run_number");
            cells.add(cell(test));
        }
        List<String> notes = new ArrayList<>();
        List<MeasuredCell> kept = repeated ? Repeats.medians(cells, notes) : cells;
        return new MeasuredRun(
                source,
                dialect.tool,
                new MeasuredRun.Hardware(gpu.value(), OptionalInt.empty(), Map.of()),
                new MeasuredRun.Engine(engine(backend.value()), version.value(), Map.of()),
                model.value(),
                Optional.empty(),
                RunSettings.of(
                        kept,
                        sharing(sharing.value()),
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        speculative ? Optional.of("unnamed") : Optional.empty()),
                kept,
                notes);
    }

    private Decode cell(Fields test) {
        long completed = test.requiredWhole("completed");
        OptionalDouble latency = test.number(dialect.latency);
        OptionalDouble itl = test.firstNumber("median_itl_ms", "median_tpot_ms", "mean_itl_ms", "mean_tpot_ms");
        if (itl.isEmpty()) {
            throw test.missing("median_itl_ms");
        }
        return new LoadTest(
                        test.whole("max_concurrency"),
                        requestRate(test),
                        completed,
                        test.required("duration"),
                        test.required("total_input_tokens") / Math.max(1, completed),
                        test.requiredWhole("total_output_tokens"),
                        OptionalDouble.of(test.required("output_throughput")),
                        test.firstNumber("median_ttft_ms", "mean_ttft_ms"),
                        itl,
                        latency.isPresent() ? OptionalDouble.of(latency.getAsDouble() / 1000) : latency)
                .cell();
    }

    /** A number, or the text {@code inf} for requests that are all sent at once. */
    private static OptionalDouble requestRate(Fields test) {
        Optional<String> text = test.text("request_rate").map(word -> word.toLowerCase(Locale.ROOT));
        if (text.isEmpty() || text.get().equals("inf") || text.get().equals("infinity")) {
            return OptionalDouble.empty();
        }
        try {
            double rate = Double.parseDouble(text.get());
            return Double.isFinite(rate) && rate > 0 ? OptionalDouble.of(rate) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            throw test.wrong("request_rate", text.get(), "a number or inf");
        }
    }

    /** A backend that only speaks a common protocol says nothing of the engine behind it. */
    private static Optional<String> engine(Optional<String> backend) {
        return backend.flatMap(name -> name.startsWith("sglang")
                ? Optional.of("sglang")
                : name.startsWith("vllm") ? Optional.of("vllm") : Optional.empty());
    }

    private static PromptSharing sharing(Optional<String> dataset) {
        String name = dataset.orElse("");
        if (name.contains("shared-prefix") || name.equals("prefix_repetition")) {
            return PromptSharing.SHARED;
        }
        return name.startsWith("random") || name.equals("sharegpt") ? PromptSharing.DISTINCT : PromptSharing.UNKNOWN;
    }
}
