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
import java.util.OptionalLong;

/**
 * llama.cpp's {@code llama-batched-bench --output-format jsonl}: {@code pl} sequences with a prompt of {@code pp} tokens
 * each, or one prompt for all where {@code is_pp_shared} is 1, then {@code tg} tokens each; times in seconds, speeds in
 * tokens per second over all sequences. The file names no model, card or version.
 */
final class LlamaBatchedBenchReader implements RunReader {

    @Override
    public String tool() {
        return "llama-batched-bench";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.hasAll("pp", "tg", "pl", "speed_tg");
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Agreed shared = new Agreed("is_pp_shared");
        List<MeasuredCell> prefills = new ArrayList<>();
        List<MeasuredCell> decodes = new ArrayList<>();
        Map<String, Object> details = new LinkedHashMap<>();
        for (Optional<Fields> next = documents.next(); next.isPresent(); next = documents.next()) {
            Fields row = next.get();
            shared.see(row.text("is_pp_shared"), row);
            for (String detail : List.of("n_kv_max", "n_batch", "n_ubatch", "flash_attn", "n_gpu_layers")) {
                row.text(detail).ifPresent(value -> details.put(detail, value));
            }
            boolean onePrompt = row.whole("is_pp_shared").orElse(0) == 1;
            int sequences = row.requiredCount("pl");
            // A shared prompt is processed once whatever the batch; the first row has said how fast.
            if (row.requiredWhole("pp") > 0 && (!onePrompt || sequences == 1)) {
                prefills.add(prefill(row, sequences));
            }
            if (row.requiredWhole("tg") > 0) {
                decodes.add(decode(row, sequences));
            }
        }
        List<MeasuredCell> cells = new ArrayList<>(prefills);
        cells.addAll(decodes);
        PromptSharing sharing = shared.value().orElse("0").equals("1") ? PromptSharing.SHARED : PromptSharing.DISTINCT;
        return new MeasuredRun(
                documents.name(),
                tool(),
                MeasuredRun.Hardware.UNKNOWN,
                new MeasuredRun.Engine(Optional.of("llama.cpp"), Optional.empty(), details),
                Optional.empty(),
                Optional.empty(),
                RunSettings.of(cells, sharing),
                cells,
                List.of());
    }

    private static Prefill prefill(Fields row, int sequences) {
        Speed speed = new Speed(
                OptionalDouble.of(row.required("speed_pp")),
                OptionalDouble.empty(),
                millis(row.number("t_pp"), 1),
                OptionalDouble.empty());
        return new Prefill(row.requiredWhole("pp"), sequences, Status.VALID, speed, Sample.NONE, Optional.empty());
    }

    private static Decode decode(Fields row, int sequences) {
        double rate = row.required("speed_tg");
        long steps = row.requiredWhole("tg");
        Speed speed = new Speed(
                OptionalDouble.of(rate),
                OptionalDouble.of(rate / sequences),
                OptionalDouble.empty(),
                millis(row.number("t_tg"), steps));
        Sample sample = new Sample(
                OptionalDouble.of(sequences),
                OptionalLong.empty(),
                OptionalDouble.of((double) row.requiredWhole("pp")),
                OptionalLong.of(steps * sequences),
                row.number("t_tg"));
        return new Decode(
                row.requiredWhole("pp"), sequences, Status.VALID, Window.DECODE, speed, sample, Optional.empty());
    }

    private static OptionalDouble millis(OptionalDouble seconds, long steps) {
        return seconds.isPresent() ? OptionalDouble.of(seconds.getAsDouble() * 1000 / steps) : seconds;
    }
}
