package dev.kvcast.engine;

import dev.kvcast.engine.vllm.VllmEngine;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.io.ModelCatalog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One boot planned from launch words to blocks: what a search over flags does many times. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class PlanBenchmark {

    private final Engine engine = new VllmEngine(MemoryCoefficientsFile.packaged());
    private Scenario seed;

    /** Reads model and card once. */
    @Setup
    public void read() {
        List<String> words = List.of(
                "--max-model-len",
                "262144",
                "--gpu-memory-utilization",
                "0.94",
                "--max-num-seqs",
                "128",
                "--enable-prefix-caching",
                "--trust-remote-code",
                "--language-model-only");
        seed = new Scenario(
                ModelCatalog.packaged().find("InternScience/Agents-A1-4B").model(),
                AcceleratorTable.packaged().select("RTX 3090").accelerator(),
                1,
                Optional.of("0.32.0"),
                words,
                Map.of(),
                OptionalLong.empty());
    }

    /** Plans the boot. */
    @Benchmark
    public BootPlan plan() {
        return engine.plan(seed);
    }
}
