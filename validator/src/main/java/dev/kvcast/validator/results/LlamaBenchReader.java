package dev.kvcast.validator.results;

import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * llama.cpp's {@code llama-bench -o json} (an array) and {@code -o jsonl}: {@code avg_ts} in tokens per second,
 * {@code avg_ns} in nanoseconds. A row without {@code n_gen} is a prefill, one without {@code n_prompt} a decode behind
 * {@code n_depth} tokens (0 in old files); a row with both is neither and is left out. The batch is always one request.
 */
final class LlamaBenchReader implements RunReader {

    @Override
    public String tool() {
        return "llama-bench";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.hasAll("n_prompt", "n_gen", "avg_ts");
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Agreed model = new Agreed("model");
        Agreed gpu = new Agreed("GPU");
        Agreed build = new Agreed("build");
        List<MeasuredCell> cells = new ArrayList<>();
        Map<String, Object> details = new LinkedHashMap<>();
        int both = 0;
        int deep = 0;
        for (Optional<Fields> next = documents.next(); next.isPresent(); next = documents.next()) {
            Fields row = next.get();
            model.see(row.text("model_filename"), row);
            gpu.see(row.text("gpu_info"), row);
            build.see(row.text("build_number"), row);
            for (String detail : List.of("model_type", "type_k", "type_v", "n_gpu_layers", "split_mode", "backends")) {
                row.text(detail).ifPresent(value -> details.put(detail, value));
            }
            boolean prefill = row.requiredWhole("n_gen") == 0;
            long depth = row.whole("n_depth").orElse(0);
            if (!prefill && row.requiredWhole("n_prompt") > 0) {
                both++;
            } else if (prefill && depth > 0) {
                deep++;
            } else {
                cells.add(prefill ? prefill(row) : decode(row, depth));
            }
        }
        List<String> notes = new ArrayList<>();
        note(notes, both, "rows left out that mix prefill and decode (-pg): ");
        note(notes, deep, "prefill rows left out, behind a filled context (-d): ");
        return new MeasuredRun(
                documents.name(),
                tool(),
                new MeasuredRun.Hardware(gpu.value(), OptionalInt.empty(), Map.of()),
                new MeasuredRun.Engine(Optional.of("llama.cpp"), build.value().map(number -> "b" + number), details),
                model.value(),
                Optional.empty(),
                RunSettings.of(cells, PromptSharing.DISTINCT),
                cells,
                notes);
    }

    private static void note(List<String> notes, int rows, String text) {
        if (rows > 0) {
            notes.add(text + rows);
        }
    }

    private static Prefill prefill(Fields row) {
        OptionalDouble nanos = row.number("avg_ns");
        Speed speed = new Speed(
                OptionalDouble.of(row.required("avg_ts")),
                OptionalDouble.empty(),
                nanos.isPresent() ? OptionalDouble.of(nanos.getAsDouble() / 1e6) : nanos,
                OptionalDouble.empty());
        return new Prefill(row.requiredWhole("n_prompt"), 1, Status.VALID, speed, Sample.NONE, Optional.empty());
    }

    private static Decode decode(Fields row, long depth) {
        double rate = row.required("avg_ts");
        OptionalDouble nanos = row.number("avg_ns");
        Speed speed = new Speed(
                OptionalDouble.of(rate),
                OptionalDouble.of(rate),
                OptionalDouble.empty(),
                rate > 0 ? OptionalDouble.of(1000 / rate) : OptionalDouble.empty());
        Sample sample = new Sample(
                OptionalDouble.of(1),
                OptionalLong.empty(),
                OptionalDouble.of((double) depth),
                row.whole("n_gen"),
                nanos.isPresent() ? OptionalDouble.of(nanos.getAsDouble() / 1e9) : nanos);
        return new Decode(depth, 1, Status.VALID, Window.DECODE, speed, sample, Optional.empty());
    }
}
