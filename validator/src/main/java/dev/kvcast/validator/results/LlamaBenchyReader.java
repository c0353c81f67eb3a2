package dev.kvcast.validator.results;

import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * llama-benchy's JSON: {@code benchmarks[]} with {@code pp_throughput} and {@code tg_throughput} in tokens per second,
 * {@code e2e_ttft} in milliseconds, each {@code {mean, std, values}}. A prompt of {@code prompt_size} tokens follows
 * {@code context_size} tokens. With more than one request the generation of some overlaps the prefill of others, so only
 * single requests give pure decode rates.
 */
final class LlamaBenchyReader implements RunReader {

    @Override
    public String tool() {
        return "llama-benchy";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.values().get("benchmarks") instanceof List<?>
                && first.objects("benchmarks").stream()
                        .anyMatch(benchmark -> benchmark.hasAll("pp_throughput", "prompt_size"));
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Fields file = documents.next().orElseThrow();
        List<MeasuredCell> prefills = new ArrayList<>();
        List<MeasuredCell> decodes = new ArrayList<>();
        int deep = 0;
        for (Fields benchmark : file.objects("benchmarks")) {
            long context = benchmark.requiredWhole("context_size");
            int requests = benchmark.requiredCount("concurrency");
            boolean contextPhase = benchmark.isTrue("is_context_prefill_phase");
            if (requests == 1 && (contextPhase || context == 0)) {
                prefills.add(prefill(benchmark, contextPhase ? context : benchmark.requiredWhole("prompt_size")));
            } else if (!contextPhase) {
                deep++;
            }
            if (!contextPhase && benchmark.object("tg_throughput").isPresent()) {
                decodes.add(decode(benchmark, context, requests));
            }
        }
        List<MeasuredCell> cells = new ArrayList<>(prefills);
        cells.addAll(decodes);
        List<String> notes = deep == 0
                ? List.of()
                : List.of("prefill rates left out, behind a filled context or of several requests: " + deep);
        return new MeasuredRun(
                file.where(),
                file.text("version").map(version -> tool() + " " + version).orElse(tool()),
                MeasuredRun.Hardware.UNKNOWN,
                MeasuredRun.Engine.UNKNOWN,
                file.text("model"),
                Optional.empty(),
                RunSettings.of(cells, PromptSharing.DISTINCT),
                cells,
                notes);
    }

    private static Prefill prefill(Fields benchmark, long tokens) {
        Speed speed = new Speed(
                OptionalDouble.of(mean(benchmark, "pp_throughput")),
                OptionalDouble.empty(),
                ttft(benchmark),
                OptionalDouble.empty());
        return new Prefill(tokens, 1, Status.VALID, speed, Sample.NONE, Optional.empty());
    }

    private static Decode decode(Fields benchmark, long context, int requests) {
        double rate = mean(benchmark, "tg_throughput");
        double each = requests == 1
                ? rate
                : benchmark
                        .object("tg_req_throughput")
                        .map(metric -> metric.required("mean"))
                        .orElse(rate / requests);
        Speed speed = new Speed(
                OptionalDouble.of(rate),
                OptionalDouble.of(each),
                ttft(benchmark),
                each > 0 ? OptionalDouble.of(1000 / each) : OptionalDouble.empty());
        long prompt = context + benchmark.requiredWhole("prompt_size");
        Sample sample = new Sample(
                requests == 1 ? OptionalDouble.of(1) : OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.of((double) prompt),
                OptionalLong.of(
                        Math.multiplyExact(benchmark.whole("response_size").orElse(0), requests)),
                OptionalDouble.empty());
        Window window = requests == 1 ? Window.DECODE : Window.MIXED;
        return new Decode(prompt, requests, Status.VALID, window, speed, sample, Optional.empty());
    }

    private static OptionalDouble ttft(Fields benchmark) {
        return benchmark.object("e2e_ttft").map(metric -> metric.number("mean")).orElse(OptionalDouble.empty());
    }

    private static double mean(Fields benchmark, String name) {
        return benchmark.requiredObject(name).required("mean");
    }
}
