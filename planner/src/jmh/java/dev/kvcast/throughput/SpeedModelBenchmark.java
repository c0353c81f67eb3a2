package dev.kvcast.throughput;

import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.throughput.io.CoefficientsFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Speeds with intervals of the seed's table: 48 decode cells and 5 prefills. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SpeedModelBenchmark {

    private static final String MODEL = "InternScience/Agents-A1-4B";
    private static final long[] CONTEXTS = {0, 16_384, 32_768, 65_536, 131_072, 253_952};
    private static final int COLUMNS = 8;

    @Param({"true", "false"})
    private boolean sharedPrefix;

    private Scenario scenario;
    private BootPlan plan;
    private Coefficients coefficients;

    /** Plans the boot once. */
    @Setup
    public void plan() {
        Accelerator card = AcceleratorTable.packaged().select("RTX 3090").accelerator();
        ModelConfig model = ModelCatalog.packaged().find(MODEL).model();
        List<String> arguments = List.of("--max-model-len", "262144", "--gpu-memory-utilization", "0.94");
        scenario = new Scenario(model, card, 1, Optional.of("0.32.0"), arguments, Map.of(), OptionalLong.empty());
        plan = new VllmEngine(MemoryCoefficientsFile.packaged()).plan(scenario);
        coefficients = CoefficientsFile.packaged().find("vllm", card, MODEL).orElseThrow();
    }

    /** The whole table from a planned boot. */
    @Benchmark
    public void matrix(Blackhole sink) {
        SpeedModel model = SpeedModel.of(scenario, plan, coefficients);
        for (long context : CONTEXTS) {
            for (int column = 0; column < COLUMNS; column++) {
                sink.consume(model.decode(context, 1 << column, 8192, sharedPrefix));
            }
        }
        for (long context = 8192; context <= 131_072; context *= 2) {
            sink.consume(model.prefill(context));
        }
    }
}
