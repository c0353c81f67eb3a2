package dev.kvcast.validator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.cli.CommandLineRunner;
import dev.kvcast.cli.ExitCode;
import dev.kvcast.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code compare} and {@code calibrate} on the seed's run. */
class RunVerbsTest {

    private static final String SEED = "/data/runs/agents-a1-4b-rtx-3090.json";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Path seed;
    private Path part;
    private Path target;

    @BeforeEach
    void writeRuns() throws IOException {
        try (InputStream stream = Objects.requireNonNull(RunVerbsTest.class.getResourceAsStream(SEED))) {
            byte[] bytes = stream.readAllBytes();
            seed = Files.write(folder.resolve("seed.json"), bytes);
            part = Files.writeString(folder.resolve("part.json"), JSON.std.asString(partOf(bytes)));
        }
        target = folder.resolve("calibration.json");
    }

    /** The seed with five decode cells and two prefill cells. */
    private static Map<String, Object> partOf(byte[] bytes) throws IOException {
        Map<String, Object> run = JSON.std.mapFrom(bytes);
        List<Object> kept = new ArrayList<>();
        for (Object entry : (List<?>) Objects.requireNonNull(run.get("cells"))) {
            Map<?, ?> cell = (Map<?, ?>) entry;
            String label = cell.get("phase") + " " + cell.get("context_tokens") + "x" + cell.get("concurrency");
            if (List.of("decode 0x1", "decode 0x32", "decode 16384x8", "decode 65536x4", "decode 131072x1")
                            .contains(label)
                    || List.of("prefill 8192x1", "prefill 131072x1").contains(label)) {
                kept.add(cell);
            }
        }
        run.put("cells", kept);
        return run;
    }

    private int run(String... words) {
        out.reset();
        err.reset();
        return CommandLineRunner.run(new AllVerbs(), Terminal.to(out, err, false, Map.of()), words);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private double summary(String phase, String field) throws IOException {
        Map<?, ?> summary =
                (Map<?, ?>) Objects.requireNonNull(JSON.std.mapFrom(printed()).get("summary"));
        Map<?, ?> errors = (Map<?, ?>) Objects.requireNonNull(summary.get(phase));
        return ((Number) Objects.requireNonNull(errors.get(field))).doubleValue();
    }

    @Test
    void calibratingOnSevenCellsPredictsTheOthers() throws IOException {
        assertThat(run("calibrate", part.toString(), "--out", target.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(printed())
                .contains("InternScience/Agents-A1-4B on RTX 3090, vllm 0.32.0: mean error ", "decode 16384 x 8");
        assertThat(run("compare", seed.toString(), "--calibration", target.toString(), "--format", "json", "--quiet"))
                .isEqualTo(ExitCode.OK);
        assertThat(complained()).isEmpty();
        assertThat(summary("decode", "cells")).isEqualTo(21);
        assertThat(summary("decode", "mape_pct")).isLessThan(1.5);
        assertThat(summary("decode", "worst_pct")).isLessThan(4);
        assertThat(summary("prefill", "mape_pct")).isLessThan(2);
        assertThat(printed()).contains("\"verdicts_judged\": 48").contains("\"verdicts_wrong\": 0");
    }

    @Test
    void theToleranceDecidesTheExitCode() {
        run("calibrate", part.toString(), "--out", target.toString(), "--quiet");
        String calibration = "--calibration=" + target;
        assertThat(run("compare", seed.toString(), calibration, "--tolerance=2"))
                .isEqualTo(ExitCode.OK);
        assertThat(run("compare", seed.toString(), calibration, "--tolerance=0.1"))
                .isEqualTo(ExitCode.COMPARISON);
        assertThat(run("compare", seed.toString(), "--tolerance=-1")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void everyFormatHasTheCells() {
        assertThat(run("compare", seed.toString(), "--format=csv")).isEqualTo(ExitCode.OK);
        assertThat(printed().lines())
                .hasSize(54)
                .anyMatch(line -> line.startsWith("decode,16K,32,over_capacity,over,"));
        assertThat(run("compare", seed.toString(), "--format=md")).isEqualTo(ExitCode.OK);
        assertThat(printed()).contains("| decode | 16K | 32 | over_capacity | over |");
        assertThat(run("compare", seed.toString())).isEqualTo(ExitCode.OK);
        assertThat(printed()).contains("48 of 48 verdicts came true", "decode by concurrency", "Furthest off");
        assertThat(complained()).contains("note: the run says of its machine: card unlocked");
    }

    @Test
    void suggestionsNeedNoRun() {
        assertThat(run("calibrate", "--suggest=3", "--gpu=3090", "--", "vllm", "serve", "InternScience/Agents-A1-4B"))
                .isEqualTo(ExitCode.OK);
        assertThat(printed().lines().filter(line -> line.contains(" x "))).hasSize(3);
        assertThat(run("calibrate", part.toString(), "--suggest=3", "--format=csv"))
                .isEqualTo(ExitCode.OK);
        assertThat(printed()).startsWith("measure next,").doesNotContain("decode 0 x 1,");
        assertThat(run("calibrate", seed.toString(), "--suggest=3")).isEqualTo(ExitCode.OK);
        assertThat(complained()).contains("there is nothing to suggest");
    }

    /** changed | to | options | message; nothing is written. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "86.5  | 0    | - | decode 0 x 1 is valid with 0.00 tok/s; expected a positive number",
                "86.5  | 8650 | - | decode 0 x 1: 8650.0 tok/s in total, but 1.00 requests of 86.60 tok/s make 86.60; check the units",
                "InternScience/Agents-A1-4B\",\"launch | Qwen/Qwen3-8B\",\"launch | - | was measured with model Qwen/Qwen3-8B, the scenario's is InternScience/Agents-A1-4B; give the scenario it was measured on",
                "- | - | --gpu=RTX 4090 | was measured on RTX 3090, the scenario's card is RTX 4090; give the scenario it was measured on",
                "- | - | --gpu=RTX 3090x2 | was measured on 1 card, the scenario has 2; give the scenario it was measured on",
                "- | - | --engine-version=0.19.0 | was measured on vllm 0.32.0, the scenario's is 0.19.0; leave --engine-version out",
                "- | - | --gpu-bandwidth=400 | decode 0 x 1: 86.50 tok/s, but reading the weights from memory allows ",
            })
    void aRunThatCannotBeRightIsRefused(String changed, String to, String option, String message) throws IOException {
        String text = Files.readString(part);
        if (changed != null) {
            assertThat(text).contains(changed);
            Files.writeString(part, text.replace(changed, to));
        }
        int code = option == null
                ? run("calibrate", part.toString(), "--out", target.toString())
                : run("calibrate", part.toString(), "--out", target.toString(), option);
        assertThat(code).isEqualTo(ExitCode.USAGE);
        assertThat(complained()).contains("part.json: " + message);
        assertThat(target).doesNotExist();
        assertThat(printed()).isEmpty();
    }

    @Test
    void tooFewCellsAreRefused() throws IOException {
        Map<String, Object> run = JSON.std.mapFrom(Files.readString(part));
        List<?> cells = (List<?>) Objects.requireNonNull(run.get("cells"));
        run.put("cells", cells.subList(0, 2));
        Files.writeString(part, JSON.std.asString(run));
        assertThat(run("calibrate", part.toString(), "--out", target.toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(complained()).contains("needs 3 valid cells or more");
        assertThat(target).doesNotExist();
    }

    @Test
    void callsThatMakeNoSenseAreRefused() {
        assertThat(run("calibrate", part.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(complained()).contains("nothing to do; add --out FILE");
        assertThat(run("calibrate", "--out", target.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(complained()).contains("no measured run given");
        assertThat(run("calibrate", part.toString(), "--out", part.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(complained()).contains("would overwrite the run");
        assertThat(run("compare")).isEqualTo(ExitCode.USAGE);
        assertThat(run("compare", folder.resolve("none.json").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(complained()).contains("none.json does not exist");
    }

    @Test
    void severalRunsOfOneDeploymentAreOneFit() throws IOException {
        Path twin = Files.copy(part, folder.resolve("twin.json"));
        assertThat(run("calibrate", part.toString(), twin.toString(), "--out", target.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(Files.readString(target)).contains("part.json").contains("twin.json");
        Files.writeString(
                twin,
                Files.readString(part)
                        .replace("\"gpu_count\":1", "\"gpu_count\":2")
                        .replace("--max-num-seqs 128", "--tensor-parallel-size 2"));
        assertThat(run("calibrate", part.toString(), twin.toString(), "--out", target.toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(complained()).contains("is of another deployment than");
    }
}
