package dev.kvcast.simulate.vllm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every step of the real scheduler of vLLM 0.32.0, replayed: see {@code src/test/resources/scheduler/README.md}. */
class ScheduleReplayTest {

    @ParameterizedTest
    @CsvSource({
        "fcfs, 70",
        "limits, 54",
        "priority, 45",
        "async, 50",
        "spec, 60",
        "swa, 45",
        "chunked-local, 15",
        "hybrid, 80",
        "pp, 18"
    })
    void everyStepIsIdentical(String family, int workloads) throws IOException {
        List<String> differences = new ArrayList<>();
        int identical = 0;
        int replayed = 0;
        for (RecordedWorkload workload : read(family)) {
            int steps = new TraceReplay(workload).stepsIdentical(differences);
            identical += steps == workload.steps().size() ? 1 : 0;
            replayed++;
        }
        assertThat(differences).isEmpty();
        assertThat(replayed).isEqualTo(workloads);
        assertThat(identical).isEqualTo(workloads);
    }

    static List<RecordedWorkload> read(String family) throws IOException {
        List<RecordedWorkload> workloads = new ArrayList<>();
        InputStream resource = ScheduleReplayTest.class.getResourceAsStream("/scheduler/" + family + ".jsonl.gz");
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Objects.requireNonNull(resource)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                workloads.add(RecordedWorkload.of(JSON.std.mapFrom(line)));
            }
        }
        return workloads;
    }
}
