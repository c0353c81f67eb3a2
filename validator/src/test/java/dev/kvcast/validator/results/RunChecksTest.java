package dev.kvcast.validator.results;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunChecksTest {

    /** replaced | replacement | problem. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"total_tok_s\": 610.0 | \"total_tok_s\": 0 | decode 0 x 8 is valid with 0.00 tok/s; expected a positive number",
                "\"total_tok_s\": 610.0 | \"total_tok_s\": NaN | decode 0 x 8 is valid with NaN tok/s; expected a positive number",
                "\"total_tok_s\": 610.0 | \"total_tok_s\": Infinity | decode 0 x 8 is valid with Infinity tok/s; expected a positive number",
                "\"total_tok_s\": 610.0 | \"total_tok_s\": -610.0 | decode 0 x 8 is valid with -610.0 tok/s; expected a positive number",
                "\"itl_ms\": 13.1 | \"itl_ms\": 0.0131 | decode 0 x 8: 76.40 tok/s per request and 0.01 ms between tokens contradict each other; check the units",
                "\"total_tok_s\": 610.0 | \"total_tok_s\": 76.4 | decode 0 x 8: 76.40 tok/s in total, but 7.98 requests of 76.40 tok/s make 609.7; check the units",
                "\"ttft_ms\": 700.0 | \"ttft_ms\": 0.7 | prefill 8192 x 1: 11700.0 tok/s for 0.70 ms make 8.19 tokens; check the units",
                "\"context_tokens\": 16384 | \"context_tokens\": 0 | decode 0 x 1 is there twice; keep one of them",
            })
    void whatCannotBeRightIsNamed(String replaced, String replacement, String problem) {
        String text = Samples.text("own.json");
        assertThat(text).contains(replaced);
        assertThat(RunChecks.problems(Samples.parse(text.replace(replaced, replacement))))
                .contains(problem);
    }

    @Test
    void aRateBeyondTheMemoryBandwidthIsNamedByCell() {
        MeasuredRun run = Samples.read("own.json");
        assertThat(RunChecks.beyond(run, concurrency -> 100.0 * concurrency)).isEmpty();
        assertThat(RunChecks.beyond(run, concurrency -> 80.0 * concurrency))
                .containsExactly("decode 0 x 1: 85.00 tok/s, but reading the weights from memory allows 80.00; "
                        + "check the unit, the card and the model");
        MeasuredRun speculative = Samples.parse(
                Samples.text("own.json").replace("\"prompt_sharing\"", "\"spec_decode\": \"mtp\", \"prompt_sharing\""));
        assertThat(RunChecks.beyond(speculative, concurrency -> 1.0)).isEmpty();
    }

    @Test
    void tooFewCellsAreCounted() {
        MeasuredRun run = Samples.read("own.json");
        assertThat(RunChecks.tooFew(run, 3, 1)).isEmpty();
        assertThat(RunChecks.tooFew(run, 4, 2))
                .containsExactly(
                        "has 3 usable decode cells; expected 4 or more",
                        "has 1 usable prefill cells; expected 2 or more");
    }
}
