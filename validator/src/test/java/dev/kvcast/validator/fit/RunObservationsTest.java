package dev.kvcast.validator.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import dev.kvcast.validator.results.MeasuredRun;
import dev.kvcast.validator.results.PromptSharing;
import dev.kvcast.validator.results.RunSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunObservationsTest {

    /** Setting, output tokens, completed requests (-1: unknown) of a cell with 8 requests; output per request. */
    @ParameterizedTest
    @CsvSource({
        "8192, 18000, 3, 8192",
        "-1, 16384, 64, 256",
        "-1, 16000, -1, 2000",
        "-1, 16000, 0, 16000",
        "-1, -1, -1, 2048",
        "0, -1, -1, 1",
    })
    void outputPerRequestIsTheSettingElseWhatWasGenerated(
            long setting, long outputTokens, long completed, long expected) {
        Sample sample = new Sample(
                OptionalDouble.empty(),
                known(completed),
                OptionalDouble.empty(),
                known(outputTokens),
                OptionalDouble.empty());
        Decode cell = new Decode(0, 8, Status.VALID, Window.DECODE, Speed.NONE, sample, Optional.empty());
        RunSettings settings = new RunSettings(
                List.of(),
                List.of(),
                List.of(),
                known(setting),
                OptionalDouble.empty(),
                PromptSharing.SHARED,
                Optional.empty(),
                Map.of());
        MeasuredRun run = new MeasuredRun(
                "here",
                "tool",
                MeasuredRun.Hardware.UNKNOWN,
                MeasuredRun.Engine.UNKNOWN,
                Optional.empty(),
                Optional.empty(),
                settings,
                List.of(cell),
                List.of());
        assertThat(RunObservations.outputTokens(run, cell)).isEqualTo(expected);
    }

    private static OptionalLong known(long value) {
        return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
