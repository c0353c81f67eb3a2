package dev.kvcast.validator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.cli.Planners;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.ModelSource;
import dev.kvcast.plan.PlanRequest;
import dev.kvcast.throughput.CoefficientLibrary;
import dev.kvcast.validator.results.MeasuredRun;
import dev.kvcast.validator.results.RunReaders;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioMatchTest {

    private static final ModelSource MODELS = (name, quantization) -> {
        ModelCatalog.Found found = ModelCatalog.packaged().find(name);
        return new ModelSource.Found(found.model(), found.warnings());
    };

    private static final Fit FIT = Planners.over(MODELS, new CoefficientLibrary(List.of()))
            .fit(new PlanRequest(
                    Optional.empty(),
                    "vllm",
                    Optional.of("0.32.0"),
                    "InternScience/Agents-A1-4B",
                    Optional.empty(),
                    PlanRequest.Gpu.named("RTX 3090"),
                    List.of("--max-model-len", "32768"),
                    Map.of(),
                    OptionalLong.empty()));

    /** model | GPU | count | engine | version | problems | notes of a run held against one RTX 3090 with vLLM 0.32.0. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "InternScience/Agents-A1-4B | RTX 3090 | 1 | vllm | 0.32.0 | 0 | 0",
                "Agents-A1-4B | NVIDIA GeForce RTX 3090 | 1 | vllm | v0.32.0+cu129 | 0 | 0",
                "bench | RTX 3090 | 1 | vllm | 0.32.0 | 0 | 1",
                "bench | some card | 1 | vllm | 0.32.0 | 0 | 2",
                "Qwen/Qwen3-8B | RTX 3090 | 1 | vllm | 0.32.0 | 1 | 0",
                "InternScience/Agents-A1-4B | RTX 4090 | 1 | vllm | 0.32.0 | 1 | 0",
                "InternScience/Agents-A1-4B | RTX 3090 | 2 | vllm | 0.32.0 | 1 | 0",
                "InternScience/Agents-A1-4B | RTX 3090 | 1 | sglang | 0.5.6 | 1 | 0",
                "InternScience/Agents-A1-4B | RTX 3090 | 1 | vllm | 0.31.0 | 1 | 0",
                "Qwen/Qwen3-8B | RTX 4090 | 2 | sglang | 0.5.6 | 4 | 0",
            })
    void contradictionsAreCounted(
            String model, String gpu, int count, String engine, String version, int problems, int notes)
            throws Exception {
        MeasuredRun seed;
        try (InputStream stream = Objects.requireNonNull(
                ScenarioMatchTest.class.getResourceAsStream("/data/runs/agents-a1-4b-rtx-3090.json"))) {
            seed = RunReaders.read("seed", stream);
        }
        MeasuredRun run = new MeasuredRun(
                seed.source(),
                seed.tool(),
                new MeasuredRun.Hardware(Optional.of(gpu), OptionalInt.of(count), Map.of()),
                new MeasuredRun.Engine(Optional.of(engine), Optional.of(version), Map.of()),
                Optional.of(model),
                Optional.empty(),
                seed.settings(),
                seed.cells(),
                List.of());
        ScenarioMatch match = ScenarioMatch.of(run, FIT, MODELS, AcceleratorTable.packaged());
        assertThat(match.problems()).as(match.problems().toString()).hasSize(problems);
        assertThat(match.notes()).as(match.notes().toString()).hasSize(notes);
    }
}
