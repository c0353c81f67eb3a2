package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * InferenceX's aggregated results ({@code agg_*.json}): {@code isl}, {@code osl}, {@code conc}, throughput per GPU in
 * tokens per second, latencies in seconds. A window holds prefill. Rows whose prefill runs on other cards are refused.
 */
final class InferencexReader implements RunReader {

    @Override
    public String tool() {
        return "inferencex";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.hasAll("isl", "osl", "conc", "tput_per_gpu");
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Agreed model = new Agreed("model");
        Agreed hardware = new Agreed("hw");
        Agreed framework = new Agreed("framework");
        Agreed cards = new Agreed("tp");
        List<MeasuredCell> cells = new ArrayList<>();
        for (Optional<Fields> next = documents.next(); next.isPresent(); next = documents.next()) {
            Fields row = next.get();
            if (row.isTrue("disagg")) {
                throw InputException.badInput(row.where() + " is of disaggregated prefill; give aggregated results");
            }
            model.see(row.text("model"), row);
            hardware.see(row.text("hw"), row);
            framework.see(row.text("framework").map(name -> name.toLowerCase(Locale.ROOT)), row);
            cards.see(Optional.of(String.valueOf(row.requiredCount("tp"))), row);
            cells.add(cell(row));
        }
        OptionalInt count = cards.value().isPresent()
                ? OptionalInt.of(Integer.parseInt(cards.value().get()))
                : OptionalInt.empty();
        return new MeasuredRun(
                documents.name(),
                tool(),
                new MeasuredRun.Hardware(hardware.value(), count, Map.of()),
                new MeasuredRun.Engine(framework.value(), Optional.empty(), Map.of()),
                model.value(),
                Optional.empty(),
                RunSettings.of(cells, PromptSharing.DISTINCT),
                cells,
                List.of());
    }

    private static MeasuredCell cell(Fields row) {
        int cards = row.requiredCount("tp");
        long input = row.requiredWhole("isl");
        long output = row.requiredWhole("osl");
        double each = row.has("output_tput_per_gpu")
                ? row.required("output_tput_per_gpu")
                : row.required("tput_per_gpu") * output / Math.max(1, input + output);
        double itl = row.firstNumber("median_itl", "median_tpot", "mean_itl", "mean_tpot")
                .orElseThrow(() -> row.missing("median_itl"));
        OptionalDouble ttft = row.firstNumber("median_ttft", "mean_ttft");
        Speed speed = new Speed(
                OptionalDouble.of(each * cards),
                itl > 0 ? OptionalDouble.of(1 / itl) : OptionalDouble.empty(),
                ttft.isPresent() ? OptionalDouble.of(ttft.getAsDouble() * 1000) : ttft,
                OptionalDouble.of(itl * 1000));
        Sample sample = new Sample(
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.of((double) input),
                OptionalLong.empty(),
                OptionalDouble.empty());
        return new Decode(
                input, row.requiredCount("conc"), Status.VALID, Window.MIXED, speed, sample, Optional.empty());
    }
}
