package dev.kvcast.simulate;

import dev.kvcast.simulate.vllm.CacheGroup;
import dev.kvcast.simulate.vllm.SchedulerSettings;
import dev.kvcast.simulate.vllm.Speculation;
import dev.kvcast.simulate.vllm.VllmScheduler;
import dev.kvcast.simulate.workload.Arrivals;
import dev.kvcast.simulate.workload.Extent;
import dev.kvcast.simulate.workload.Lengths;
import dev.kvcast.simulate.workload.OpenLoop;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Simulated requests per second of a Poisson chat (mean prompt 1,000, mean output 250 tokens, both exponential): the
 * score is in requests. {@code pool} 30,000 blocks is below saturation; 2,600 blocks preempt.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx512m"})
public class SimulationBenchmark {

    private static final int REQUESTS = 100_000;

    /** Requests per second offered. */
    @Param({"8"})
    public double rate;

    /** Blocks of the pool. */
    @Param({"30000", "2600"})
    public int pool;

    /** Runs the workload once. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public SimulationResult chat() {
        return run(REQUESTS, rate, pool);
    }

    /** Runs one size once and prints its rate: {@code main 1000000 8 30000}. */
    public static void main(String[] args) {
        int requests = Integer.parseInt(args[0]);
        long start = System.nanoTime();
        SimulationResult result = run(requests, Double.parseDouble(args[1]), Integer.parseInt(args[2]));
        double seconds = (System.nanoTime() - start) * 1e-9;
        System.out.println(Math.round(requests / seconds) + " requests/s, " + result.steps() + " steps, "
                + result.preemptions() + " preemptions");
    }

    private static SimulationResult run(int requests, double rate, int pool) {
        SchedulerSettings settings = new SchedulerSettings(
                pool,
                List.of(CacheGroup.full(16)),
                true,
                0,
                0,
                false,
                8192,
                8192,
                256,
                0,
                false,
                16_384,
                SchedulerSettings.Policy.FCFS,
                0,
                true,
                true,
                true,
                1,
                Speculation.NONE);
        // An 8B model in 16 bit on an H100.
        RooflineClock clock =
                new RooflineClock(15e9, 0, 1, 15e9, 524_288, 131_072, 3.0e12, 6.0e14, RooflineClock.OVERHEAD_SECONDS);
        OpenLoop chat = new OpenLoop(
                new Arrivals.Poisson(rate),
                1,
                new Lengths.Exponential(1000),
                new Lengths.Exponential(250),
                Extent.ofRequests(requests),
                42);
        return new Simulation(
                        chat,
                        table -> new VllmScheduler(settings, table),
                        1,
                        clock,
                        SimulationSettings.plain(settings.maxModelLen()))
                .run();
    }
}
