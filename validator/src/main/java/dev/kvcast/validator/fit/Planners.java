package dev.kvcast.validator.fit;

import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.engine.vllm.VllmEngine;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.model.io.UsualBuilds;
import dev.kvcast.plan.ModelSource;
import dev.kvcast.plan.Planner;
import dev.kvcast.throughput.CoefficientLibrary;
import java.util.List;

/** Builds planners over the packaged catalogue that ask nothing of the network. */
final class Planners {

    private Planners() {}

    /** A planner of vLLM's memory with the given coefficients. */
    static Planner of(MemoryCoefficients coefficients) {
        ModelCatalog catalog = ModelCatalog.packaged();
        return new Planner(
                (name, quantization) -> {
                    ModelCatalog.Found found = catalog.find(name);
                    return new ModelSource.Found(
                            quantization
                                    .map(stated -> UsualBuilds.stated(found.model(), stated))
                                    .orElse(found.model()),
                            found.warnings());
                },
                AcceleratorTable.packaged(),
                List.of(new VllmEngine(coefficients)),
                new CoefficientLibrary(List.of()));
    }
}
