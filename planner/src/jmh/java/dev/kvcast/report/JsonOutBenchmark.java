package dev.kvcast.report;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long a matrix of 48 cells takes to print as one line of JSON: the floor of a batch run. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
public class JsonOutBenchmark {

    private static final int CELLS = 48;

    /** Builds and prints the matrix. */
    @Benchmark
    public String matrixLine() {
        List<JsonObject> cells = new ArrayList<>(CELLS);
        for (int i = 0; i < CELLS; i++) {
            cells.add(new JsonObject()
                    .put("context", 16_384L * i)
                    .put("concurrency", i)
                    .put("verdict", "fits")
                    .put("decode_tok_s", new JsonObject().put("value", 1234.5).put("low", 1100.25)));
        }
        return JsonOut.compact(new JsonObject().put("schema", 1).put("cells", cells));
    }
}
