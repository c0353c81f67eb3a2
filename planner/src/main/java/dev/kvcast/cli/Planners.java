package dev.kvcast.cli;

import dev.kvcast.engine.vllm.VllmEngine;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.plan.ModelSource;
import dev.kvcast.plan.Planner;
import dev.kvcast.throughput.CoefficientLibrary;
import java.util.List;

/** Builds planners from the packaged data. */
public final class Planners {

    private Planners() {}

    /** A planner with every engine. */
    public static Planner over(ModelSource models, CoefficientLibrary speeds) {
        return new Planner(
                models,
                AcceleratorTable.packaged(),
                List.of(new VllmEngine(MemoryCoefficientsFile.packaged())),
                speeds);
    }
}
