package dev.kvcast.validator.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.report.Csv;
import dev.kvcast.report.JsonOut;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RunWritersTest {

    @Test
    void ownFormReadsBackAsItWas() {
        for (String name : Samples.NAMES) {
            roundTrip(name);
        }
        roundTrip(Samples.SEED);
    }

    private static void roundTrip(String name) {
        MeasuredRun run = Samples.read(name);
        MeasuredRun back = Samples.parse(JsonOut.pretty(RunJson.of(run)));
        assertThat(back.cells()).as(name).isEqualTo(run.cells());
        assertThat(back.settings()).as(name).isEqualTo(run.settings());
        assertThat(back.hardware()).as(name).isEqualTo(run.hardware());
        assertThat(back.engine()).as(name).isEqualTo(run.engine());
        assertThat(List.of(back.source(), back.tool(), back.model(), back.launchCommand()))
                .as(name)
                .isEqualTo(List.of(run.source(), run.tool(), run.model(), run.launchCommand()));
    }

    @Test
    void theBenchmarksFormKeepsSpeedsAndTellsWhatWasSkipped() {
        MeasuredRun seed = Samples.read(Samples.SEED);
        MeasuredRun back = Samples.parse(JsonOut.pretty(LlmInferenceBenchJson.of(seed)));
        assertThat(back.notes()).isEmpty();
        assertThat(statuses(back)).isEqualTo(statuses(seed));
        assertThat(rates(back)).isEqualTo(rates(seed));
        for (MeasuredCell cell : seed.decodes()) {
            MeasuredCell other = back.cells().stream()
                    .filter(one -> one.label().equals(cell.label()))
                    .findFirst()
                    .orElseThrow();
            close(other.speed().ttftMillis(), cell.speed().ttftMillis());
            close(other.speed().itlMillis(), cell.speed().itlMillis());
            assertThat(other.sample().outputTokens()).isEqualTo(cell.sample().outputTokens());
        }
        String text = JsonOut.pretty(LlmInferenceBenchJson.of(seed));
        assertThat(text)
                .contains("\"max_total_tokens\": 393216")
                .contains("\"decode_mode\": \"duration\"")
                .contains("\"ttft_p50\": 0.044")
                .doesNotContain("-1");
    }

    private static Map<String, String> statuses(MeasuredRun run) {
        return run.cells().stream()
                .collect(Collectors.toMap(
                        MeasuredCell::label, cell -> cell.status().label()));
    }

    private static Map<String, OptionalDouble> rates(MeasuredRun run) {
        return run.cells().stream()
                .collect(Collectors.toMap(
                        MeasuredCell::label, cell -> cell.speed().tokensPerSecond()));
    }

    private static void close(OptionalDouble actual, OptionalDouble expected) {
        assertThat(actual.isPresent()).isEqualTo(expected.isPresent());
        if (expected.isPresent()) {
            assertThat(actual.getAsDouble()).isCloseTo(expected.getAsDouble(), Offset.offset(1e-9));
        }
    }

    @Test
    void csvHasOneRowForEachCell() {
        assertThat(Csv.render(RunTable.of(Samples.read("own.json")))).isEqualTo("""
                phase,context_tokens,concurrency,status,total_tok_s,per_request_tok_s,ttft_ms,itl_ms,active_requests,\
                completed_requests,actual_input_tokens,output_tokens,measured_s,reason
                prefill,8192,1,valid,11700,,700,,,,,,,
                decode,0,1,valid,85,85.1,45,11.75,1,1,,2550,30,
                decode,0,8,valid,610,76.4,190,13.1,7.98,8,31.5,18300,30,
                decode,16384,1,failed,,,,,,,,,,the server closed the stream
                decode,16384,8,over_capacity,,,,,,,,,,needs 147456 tokens of 131072
                mixed,512,4,valid,250,,,13,3.6,,,,,requests arrive at 2.0/s
                """);
    }

    @Test
    void thePageShowsWhatTheSeedsPageShows() {
        assertThat(RunPage.of(Samples.read(Samples.SEED)))
                .startsWith("# Speed test matrix\n\nInternScience/Agents-A1-4B on RTX 3090, measured with "
                        + "llm-inference-bench 0.8.0.")
                .contains("| cpu | Intel Core i7-9700K (8C) |")
                .contains("```sh\nvllm serve InternScience/Agents-A1-4B --max-model-len 262144")
                .contains("| 8K | 11,900.0 | 705 ms |")
                .contains("| 0 | 86.5 (44 ms) | 169.8 (81 ms) | 329.5 (123 ms) | 616.3 (195 ms) | 1,113.0 (356 ms) | "
                        + "1,811.6 (492 ms) | over capacity | over capacity |")
                .contains("| sustained decode | 16K | 16 | valid | 846.9 | 52.8 | 417 ms | 18.9 ms | 16.00 | — | "
                        + "25,408 | 30.0 s |  |")
                .contains("| sustained decode | 248K | 2 | over capacity | — |");
    }

    @Test
    void thePageTakesTextAsText() {
        MeasuredRun run = Samples.read("own.json").withLaunchCommand("vllm serve X ``` \n# <b>");
        String hostile = JsonOut.compact(RunJson.of(run)).replace("kvcast 0.1.0", "<script>[x](y)*");
        assertThat(RunPage.of(Samples.parse(hostile)))
                .contains("\\<script\\>\\[x\\](y)\\*")
                .contains("````sh\nvllm serve X ``` \n# <b>\n````");
    }
}
