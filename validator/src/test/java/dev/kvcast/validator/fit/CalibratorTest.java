package dev.kvcast.validator.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.InputException;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.throughput.Coefficients;
import dev.kvcast.throughput.Forecast;
import dev.kvcast.throughput.SpeedModel;
import dev.kvcast.throughput.io.CoefficientsFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Calibrates on a few cells of the seed's page and predicts the others. */
class CalibratorTest {

    private static final String MODEL = "InternScience/Agents-A1-4B";

    /** The cells that the project's score gives away. */
    private static final Set<String> GIVEN = Set.of(
            "decode 0 x 1",
            "decode 0 x 32",
            "decode 16384 x 8",
            "decode 65536 x 4",
            "decode 131072 x 1",
            "prefill 8192",
            "prefill 131072");

    private static final double[][] DECODE = {
        {0, 86.5, 169.8, 329.5, 616.3, 1113.0, 1811.6},
        {16_384, 82.1, 155.4, 297.3, 527.5, 846.9},
        {32_768, 78.2, 143.2, 269.4, 453.8},
        {65_536, 71.6, 123.8, 226.2},
        {131_072, 61.2, 97.3},
        {253_952, 48.0}
    };

    private static final double[][] PREFILL = {
        {8_192, 11_900}, {16_384, 11_000}, {32_768, 9_804}, {65_536, 8_316}, {131_072, 6_205}
    };

    private static final Accelerator CARD =
            AcceleratorTable.packaged().select("RTX 3090").accelerator();
    private static final Scenario SCENARIO = new Scenario(
            ModelCatalog.packaged().find(MODEL).model(),
            CARD,
            1,
            Optional.of("0.32.0"),
            List.of("--max-model-len", "262144", "--gpu-memory-utilization", "0.94", "--language-model-only"),
            Map.of(),
            OptionalLong.empty());
    private static final BootPlan PLAN = new VllmEngine(MemoryCoefficientsFile.packaged()).plan(SCENARIO);
    private static final Coefficients DEFAULTS =
            CoefficientsFile.packaged().find("vllm", CARD, MODEL).orElseThrow();
    private static final Calibrator CALIBRATOR = new Calibrator(SCENARIO, PLAN, DEFAULTS);
    private static final List<Observation> PAGE = page();

    private static List<Observation> page() {
        List<Observation> page = new ArrayList<>();
        for (double[] row : DECODE) {
            for (int i = 1; i < row.length; i++) {
                page.add(new Observation(
                        BenchmarkCell.decode(CALIBRATOR.times(), (long) row[0], 1 << (i - 1), 8192, true), row[i]));
            }
        }
        for (double[] row : PREFILL) {
            page.add(new Observation(BenchmarkCell.prefill(CALIBRATOR.times(), (long) row[0]), row[1]));
        }
        return page;
    }

    private static List<Observation> given() {
        return PAGE.stream().filter(seen -> GIVEN.contains(seen.cell().label())).toList();
    }

    private static Forecast forecast(Coefficients coefficients, Observation seen) {
        SpeedModel model = SpeedModel.of(SCENARIO, PLAN, coefficients);
        String[] words = seen.cell().label().split(" ", -1);
        long context = Long.parseLong(words[1]);
        return words[0].equals("prefill")
                ? model.prefill(context).tokensPerSecond()
                : model.decode(context, Integer.parseInt(words[3]), 8192, true).tokensPerSecond();
    }

    private static double[] errors(Coefficients coefficients, BenchmarkCell.Phase phase) {
        return PAGE.stream()
                .filter(seen -> seen.cell().phase() == phase
                        && !GIVEN.contains(seen.cell().label()))
                .mapToDouble(seen -> Math.abs(forecast(coefficients, seen).value() / seen.tokensPerSecond() - 1))
                .toArray();
    }

    private static double mean(double[] values) {
        return java.util.Arrays.stream(values).average().orElseThrow();
    }

    private static double max(double[] values) {
        return java.util.Arrays.stream(values).max().orElseThrow();
    }

    @Test
    void sevenCellsPredictTheOthers() {
        Coefficients found = CALIBRATOR.calibrate(given()).coefficients();
        double[] decode = errors(found, BenchmarkCell.Phase.DECODE);
        assertThat(mean(decode)).isLessThan(0.015);
        assertThat(max(decode)).isLessThan(0.04);
        assertThat(mean(errors(found, BenchmarkCell.Phase.PREFILL))).isLessThan(0.03);
    }

    @Test
    void aPrefillBeyondTheListedRateShowsAnUnlockedCard() {
        assertThat(CALIBRATOR.calibrate(given()).coefficients().unthrottled()).isTrue();
        List<Observation> decodes = PAGE.stream()
                .filter(seen -> seen.cell().phase() == BenchmarkCell.Phase.DECODE)
                .toList();
        assertThat(CALIBRATOR.calibrate(decodes).coefficients().unthrottled()).isFalse();
    }

    @Test
    void intervalsCoverCellsThatWereLeftOut() {
        int covered = 0;
        double worst = 0;
        for (Observation left : PAGE) {
            List<Observation> others =
                    PAGE.stream().filter(seen -> seen != left).toList();
            Forecast forecast = forecast(CALIBRATOR.calibrate(others).coefficients(), left);
            covered += forecast.covers(left.tokensPerSecond()) ? 1 : 0;
            worst = Math.max(worst, Math.abs(forecast.value() / left.tokensPerSecond() - 1));
        }
        assertThat(covered / (double) PAGE.size()).isBetween(0.85, 0.97);
        assertThat(worst).isLessThan(0.04);
    }

    @Test
    void calibrationNarrowsIntervals() {
        Coefficients found = CALIBRATOR.calibrate(given()).coefficients();
        for (Observation seen : PAGE) {
            Forecast before = forecast(DEFAULTS, seen);
            Forecast after = forecast(found, seen);
            assertThat(after.high() / after.low()).isLessThan(before.high() / before.low());
        }
    }

    @Test
    void oneBadCellIsNamedAndDoesLittle() {
        List<Observation> cells = new ArrayList<>(given());
        Observation bad = cells.get(2);
        cells.set(2, new Observation(bad.cell(), bad.tokensPerSecond() * 0.6));
        Calibration calibration = CALIBRATOR.calibrate(cells);
        assertThat(calibration.outliers())
                .extracting(Calibration.Cell::label)
                .containsExactly(bad.cell().label());
        assertThat(mean(errors(calibration.coefficients(), BenchmarkCell.Phase.DECODE)))
                .isLessThan(0.04);
    }

    @Test
    void decodeAloneLeavesPrefillAsItWas() {
        List<Observation> decodes = PAGE.stream()
                .filter(seen -> seen.cell().phase() == BenchmarkCell.Phase.DECODE)
                .toList();
        Coefficients found = CALIBRATOR.calibrate(decodes).coefficients();
        assertThat(found.residuals().prefill()).isEqualTo(DEFAULTS.residuals().prefill());
        assertThat(found.residuals().decode()).isLessThan(DEFAULTS.residuals().decode() / 3);
    }

    @Test
    void refusesTooFewCells() {
        assertThatThrownBy(() -> CALIBRATOR.calibrate(PAGE.subList(0, 2)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("needs 3 valid cells or more, and the run has 2");
    }

    @Test
    void refusesACellMeasuredTwice() {
        assertThatThrownBy(() -> CALIBRATOR.calibrate(List.of(PAGE.get(0), PAGE.get(1), PAGE.get(2), PAGE.get(1))))
                .isInstanceOf(InputException.class)
                .hasMessage("cell decode 0 x 2 was measured twice; keep one of them");
    }

    @Test
    void refusesRatesThatCannotBe() {
        for (double rate : new double[] {0, -3, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> CALIBRATOR.calibrate(replaced(rate)))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("cell decode 0 x 1 has " + rate + " tok/s; expected a positive number");
        }
        assertThatThrownBy(() -> CALIBRATOR.calibrate(replaced(5000)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("cell decode 0 x 1 has 5000.0 tok/s; the limit of RTX 3090 is 1");
    }

    private static List<Observation> replaced(double rate) {
        List<Observation> cells = new ArrayList<>(PAGE);
        cells.set(0, new Observation(PAGE.get(0).cell(), rate));
        return cells;
    }

    @Test
    void suggestsCellsThatTellMost() {
        List<BenchmarkCell> cells = PAGE.stream().map(Observation::cell).toList();
        List<Suggestion> suggestions = CALIBRATOR.suggest(cells, 5);
        assertThat(suggestions).hasSize(5);
        assertThat(suggestions)
                .allSatisfy(one -> assertThat(one.uncertaintyAfter()).isLessThan(one.uncertaintyBefore()));
        assertThat(suggestions).extracting(one -> one.cell().phase()).contains(BenchmarkCell.Phase.PREFILL);
        assertThat(suggestions.get(4).uncertaintyAfter())
                .isLessThan(suggestions.get(0).uncertaintyBefore() / 2);
        assertThat(CALIBRATOR.suggest(cells, 100)).hasSize(cells.size());
    }
}
