package dev.kvcast.throughput;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.QuantizationNames;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.throughput.io.CoefficientsFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Planned deployments for tests, from the packaged catalogues. */
record Deployments(Scenario scenario, BootPlan plan) {

    private static final VllmEngine ENGINE = new VllmEngine(MemoryCoefficientsFile.packaged());
    private static final CoefficientLibrary COEFFICIENTS = CoefficientsFile.packaged();

    /** A deployment under vLLM 0.32.0. */
    static Deployments of(String model, String weights, Accelerator card, int cards, String... arguments) {
        ModelConfig config = ModelCatalog.packaged().find(model).model();
        if (!config.quantization().quantized() && !weights.equals("bf16")) {
            config = config.withQuantization(QuantizationNames.parse(weights));
        }
        Scenario scenario = new Scenario(
                config, card, cards, Optional.of("0.32.0"), List.of(arguments), Map.of(), OptionalLong.empty());
        return new Deployments(scenario, ENGINE.plan(scenario));
    }

    static Accelerator card(String name) {
        return AcceleratorTable.packaged().select(name).accelerator();
    }

    /** The project's first measured deployment; its card's tensor units run unthrottled. */
    static Deployments seed() {
        return of(
                "InternScience/Agents-A1-4B",
                "bf16",
                card("RTX 3090").unthrottled(),
                1,
                "--max-model-len",
                "262144",
                "--gpu-memory-utilization",
                "0.94",
                "--max-num-seqs",
                "128",
                "--language-model-only");
    }

    Coefficients coefficients() {
        return COEFFICIENTS
                .find("vllm", scenario.accelerator(), scenario.model().id())
                .orElseThrow();
    }

    SpeedModel speed() {
        return SpeedModel.of(scenario, plan, coefficients());
    }

    StepTime steps() {
        return speed().stepTime();
    }
}
