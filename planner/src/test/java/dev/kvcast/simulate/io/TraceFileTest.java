package dev.kvcast.simulate.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.workload.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of trace that is read, and what is said of broken ones. */
class TraceFileTest {

    private static final Path SAMPLES = Path.of("..", "data", "traces");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "azure-2023-code-300.csv, 300, true, 4808, 10",
        "azure-2023-conv-300.csv, 300, true, 374, 44",
        "burstgpt-format-3rows.csv, 3, true, 472, 18",
        "vidur-splitwise-conv-300.csv, 300, true, 374, 44",
        "mooncake-conversation-300.jsonl, 300, true, 6758, 500",
        "mooncake-synthetic-150.jsonl, 150, true, 40160, 6",
        "vllm-custom-synthetic-20.jsonl, 20, false, 0, 44",
        "sharegpt-format-synthetic-10.json, 10, false, 0, 0"
    })
    void readsEverySample(String name, int rows, boolean timed, int firstInput, int firstOutput) {
        TraceFile file = TraceFile.read(SAMPLES.resolve(name));
        Trace.Row first = file.trace().rows().get(0);
        assertThat(file.trace().rows()).hasSize(rows);
        assertThat(file.timed()).isEqualTo(timed);
        assertThat(first.arrivalSeconds()).isZero();
        if (firstInput > 0) {
            assertThat(first.inputTokens()).isEqualTo(firstInput);
        }
        if (firstOutput > 0) {
            assertThat(first.outputTokens()).isEqualTo(firstOutput);
        }
    }

    @Test
    void azureTimesAreTakenToMicroseconds() {
        TraceFile file = TraceFile.read(SAMPLES.resolve("azure-2023-code-300.csv"));
        assertThat(file.trace().rows().get(1).arrivalSeconds())
                .isCloseTo(0.052, org.assertj.core.api.Assertions.within(1e-6));
    }

    @Test
    void mooncakeHashesNameTheTokensTheyStandFor() {
        TraceFile file = TraceFile.read(SAMPLES.resolve("mooncake-conversation-300.jsonl"));
        Trace.Row row = file.trace().rows().get(0);
        assertThat(row.prefixes()).hasSize(14);
        assertThat(row.prefixes().get(0)).isEqualTo(new Trace.Piece(0, 512));
        assertThat(row.prefixes().get(13)).isEqualTo(new Trace.Piece(13, 6758 - 13 * 512));
    }

    @Test
    void ownPrefixesAreShared() throws IOException {
        TraceFile file = read("arrival_s,input_tokens,output_tokens,prefix_id,prefix_tokens\n0,100,5,a,64\n1,90,5,,\n");
        assertThat(file.trace().rows().get(0).prefixes()).hasSize(1);
        assertThat(file.trace().rows().get(1).prefixes()).isEmpty();
    }

    @Test
    void unsortedRowsAreSortedAndSaid() throws IOException {
        TraceFile file = read("arrival_s,input_tokens,output_tokens\n5,10,1\n2,20,1\n");
        assertThat(file.trace().rows().get(0).inputTokens()).isEqualTo(20);
        assertThat(file.notes()).singleElement().asString().contains("sorted");
    }

    @Test
    void requestsWithoutOutputAreLeftOutAndSaid() throws IOException {
        TraceFile file = read("arrival_s,input_tokens,output_tokens\n0,10,0\n1,10,1\n");
        assertThat(file.trace().rows()).hasSize(1);
        assertThat(file.notes()).singleElement().asString().contains("1 requests without output");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,b,c\\n1,2,3\\n | columns a,b,c are unknown",
                "arrival_s,input_tokens,output_tokens\\n-1,2,3\\n | line 2: time -1 is negative",
                "arrival_s,input_tokens,output_tokens\\n0,0,3\\n | line 2: 0 input tokens",
                "arrival_s,input_tokens,output_tokens\\n0,99999999999,3\\n | 99999999999 input tokens; expected 1 to",
                "arrival_s,input_tokens,output_tokens\\n0,x,3\\n | is no number of input tokens",
                "arrival_s,input_tokens,output_tokens\\n0,1\\n | Record 2 has 2 fields",
                "arrival_s,input_tokens,output_tokens\\nNaN,1,1\\n | line 2: time NaN",
                "arrival_s,input_tokens,output_tokens\\n | no request",
                "{\"foo\":1}\\n | neither input_length",
                "{\"timestamp\":0,\"input_length\":5\\n | line 1: no JSON object",
                "[{\"x\":1}] | entry 1 has no conversations"
            })
    void saysWhatIsWrongAndWhere(String text, String message) {
        assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void missingAndEmptyFiles() {
        assertThatThrownBy(() -> TraceFile.read(folder.resolve("none.csv"))).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> read("")).hasMessageContaining("is empty");
    }

    private TraceFile read(String text) throws IOException {
        return TraceFile.read(Files.writeString(folder.resolve("trace"), text));
    }
}
