package dev.kvcast.throughput.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.InputException;
import dev.kvcast.throughput.Coefficient;
import dev.kvcast.throughput.CoefficientLibrary;
import dev.kvcast.throughput.Coefficients;
import dev.kvcast.throughput.EngineCoefficients;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoefficientsFileTest {

    private final CoefficientLibrary packaged = CoefficientsFile.packaged();

    private static Coefficients find(CoefficientLibrary library, String engine, String card) {
        return library.find(engine, AcceleratorTable.packaged().select(card).accelerator(), "a/b")
                .orElseThrow();
    }

    @Test
    void packagedFitsCoverTheEngines() {
        assertThat(packaged.engines())
                .extracting(EngineCoefficients::engine)
                .containsExactly("vllm", "llama.cpp", "sglang");
        assertThat(packaged.engines()).allSatisfy(fit -> assertThat(fit.runs()).isNotEmpty());
        assertThat(packaged.find(
                        "other", AcceleratorTable.packaged().select("RTX 3090").accelerator(), "a/b"))
                .isEmpty();
    }

    @Test
    void aClassWithoutMeasurementsIsLessCertain() {
        double known = variance(find(packaged, "vllm", "RTX 3090"));
        double unknown = variance(find(packaged, "vllm", "RX 7900 XTX"));
        assertThat(unknown).isGreaterThan(2 * known);
    }

    private static double variance(Coefficients coefficients) {
        int index = Coefficient.WEIGHT_READ.index();
        return coefficients.covariance().get(index).get(index);
    }

    @Test
    void aCalibrationSurvivesWritingAndReading() throws IOException {
        Coefficients defaults = find(packaged, "vllm", "RTX 3090");
        double[] x = defaults.estimates();
        x[Coefficient.CACHE_READ.index()] += 0.3;
        Coefficients found = defaults.calibrated(x, defaults.covarianceMatrix(), defaults.residuals(), true);
        String text = CoefficientsFile.text(EngineCoefficients.ofDeployment(
                found,
                defaults,
                new EngineCoefficients.Scope("RTX 3090", "a/b"),
                List.of(new EngineCoefficients.Run("run", "file.json"))));
        CoefficientLibrary read = CoefficientsFile.read("cal.json", JSON.std.mapFrom(text));
        Coefficients back = find(packaged.with(read), "vllm", "RTX 3090");
        assertThat(back.x()).isEqualTo(found.x());
        assertThat(back.unthrottled()).isTrue();
        assertThat(back.runs()).containsExactly("run");
        assertThat(find(packaged.with(read), "vllm", "RTX 4090").unthrottled()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{}|holds no step-time coefficients",
                "{'kind':'step-time','schema':2}|has schema 2; this version reads 1, calibrate again",
                "{'kind':'step-time','schema':1}|calibrations is null",
                "{'kind':'step-time','schema':1,'calibrations':[]}|has no calibrations",
                "{'kind':'step-time','schema':1,'calibrations':[3]}|expected what is a list of objects",
                "{'kind':'step-time','schema':1,'calibrations':[{'engine':'x','like':'y'}]}|names an engine above it"
            })
    void refusesOtherFiles(String json, String message) {
        assertThatThrownBy(() -> CoefficientsFile.read("cal.json", JSON.std.mapFrom(json.replace('\'', '"'))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("cal.json")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "correlation,has a row for each",
        "coefficients,is a list of objects",
        "residual_sd,is an object",
        "form,is an object",
        "engine,is text"
    })
    void refusesADamagedFit(String field, String message) throws IOException {
        Map<String, Object> fit = new LinkedHashMap<>(first());
        fit.put(field, List.of(1));
        assertThatThrownBy(() -> CoefficientsFile.read(
                        "cal.json", Map.of("kind", "step-time", "schema", 1, "calibrations", List.of(fit))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refusesANumberThatIsNone() throws IOException {
        Map<String, Object> fit = new LinkedHashMap<>(first());
        fit.put("residual_sd", Map.of("decode", Double.NaN));
        assertThatThrownBy(() -> CoefficientsFile.read(
                        "cal.json", Map.of("kind", "step-time", "schema", 1, "calibrations", List.of(fit))))
                .hasMessageContaining("residual_sd.decode is NaN; expected what is a number");
    }

    @Test
    void refusesToServeAnotherEngine() {
        assertThatThrownBy(() -> packaged.requireEngine("tgi", "cal.json"))
                .hasMessage(
                        "cal.json calibrates engine vllm, not tgi; calibrate on a run of tgi, or leave --calibration"
                                + " out");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> first() throws IOException {
        Map<String, Object> document =
                JSON.std.mapFrom(CoefficientsFileTest.class.getResourceAsStream("/data/calibrations/default.json"));
        return (Map<String, Object>) ((List<?>) document.get("calibrations")).get(0);
    }
}
