package dev.kvcast.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvcast.simulate.vllm.CacheGroup;
import dev.kvcast.simulate.vllm.SchedulerSettings;
import dev.kvcast.simulate.vllm.Speculation;
import dev.kvcast.simulate.vllm.VllmScheduler;
import dev.kvcast.simulate.workload.Arrivals;
import dev.kvcast.simulate.workload.ClosedLoop;
import dev.kvcast.simulate.workload.Conversations;
import dev.kvcast.simulate.workload.Extent;
import dev.kvcast.simulate.workload.Lengths;
import dev.kvcast.simulate.workload.OpenLoop;
import dev.kvcast.simulate.workload.Randomness;
import dev.kvcast.simulate.workload.SharedPrefix;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Leaping over decode steps changes nothing: random runs, once step by step and once with leaps. */
class LeapTest {

    private static final int RUNS = 120;
    private static final double RELATIVE = 1e-9;

    static List<Integer> seeds() {
        List<Integer> seeds = new ArrayList<>();
        for (int seed = 0; seed < RUNS; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void outcomeIsThatOfEveryStepByItself(int seed) {
        SimulationResult leapt = run(seed, false);
        SimulationResult stepped = run(seed, true);

        assertThat(leapt.steps()).isEqualTo(stepped.steps());
        assertThat(leapt.preemptions()).isEqualTo(stepped.preemptions());
        assertThat(leapt.completed()).isEqualTo(stepped.completed());
        assertThat(leapt.outputTokens()).isEqualTo(stepped.outputTokens());
        assertThat(leapt.peakUsage()).isCloseTo(stepped.peakUsage(), near(stepped.peakUsage()));
        assertThat(leapt.prefixHitRate()).isCloseTo(stepped.prefixHitRate(), near(stepped.prefixHitRate()));
        assertThat(leapt.durationSeconds()).isCloseTo(stepped.durationSeconds(), near(stepped.durationSeconds()));
        same(leapt.interToken(), stepped.interToken());
        same(leapt.timeToFirstToken(), stepped.timeToFirstToken());
        same(leapt.perOutputToken(), stepped.perOutputToken());
        same(leapt.endToEnd(), stepped.endToEnd());
        for (int i = 0; i < stepped.requests().size(); i++) {
            double last = stepped.log().lastTokenSeconds(i);
            double first = stepped.log().firstTokenSeconds(i);
            assertThat(leapt.log().lastTokenSeconds(i)).isCloseTo(last, near(last));
            assertThat(leapt.log().firstTokenSeconds(i)).isCloseTo(first, near(first));
            assertThat(leapt.log().preemptions(i)).isEqualTo(stepped.log().preemptions(i));
            assertThat(leapt.log().cachedTokens(i)).isEqualTo(stepped.log().cachedTokens(i));
        }
    }

    private static void same(Distribution leapt, Distribution stepped) {
        assertThat(leapt.count()).isEqualTo(stepped.count());
        assertThat(leapt.meanSeconds()).isCloseTo(stepped.meanSeconds(), near(stepped.meanSeconds()));
        assertThat(leapt.buckets()).isEqualTo(stepped.buckets());
    }

    private static Offset<Double> near(double value) {
        return within(Math.abs(value) * RELATIVE + 1e-15);
    }

    private static SimulationResult run(int seed, boolean stepByStep) {
        Randomness random = new Randomness(seed, 99);
        SchedulerSettings settings = settings(random);
        SimulationSettings plain = SimulationSettings.plain(settings.maxModelLen());
        int replicas = random.between(1, 4) == 1 ? 2 : 1;
        RooflineClock clock = new RooflineClock(1.0371e9, 0, 1, 1.1e9, 1.3e4, 1.00717e5, 1.0193e12, 1.07e14, 1.0337e-4);
        return new Simulation(
                        workload(random, seed),
                        requests -> new VllmScheduler(settings, requests),
                        replicas,
                        clock,
                        stepByStep ? plain.withStepByStep() : plain)
                .run();
    }

    private static SchedulerSettings settings(Randomness random) {
        int blockSize = new int[] {4, 16, 32}[random.between(0, 2)];
        List<CacheGroup> groups = switch (random.between(0, 4)) {
            case 0 -> List.of(CacheGroup.full(blockSize), CacheGroup.window(blockSize, 3 * blockSize));
            case 1 ->
                List.of(
                        CacheGroup.full(16 * blockSize),
                        CacheGroup.alignedState(16 * blockSize, 0),
                        CacheGroup.alignedState(16 * blockSize, 0));
            case 2 -> List.of(CacheGroup.full(blockSize), CacheGroup.chunked(blockSize, 8 * blockSize));
            default -> List.of(CacheGroup.full(blockSize));
        };
        int longest = 1024;
        int oneRequest = (longest / blockSize + 8) * groups.size();
        return new SchedulerSettings(
                oneRequest + random.between(0, 3 * oneRequest),
                groups,
                random.between(0, 3) > 0,
                random.between(0, 1) == 0 ? 0 : SchedulerSettings.DENSE,
                0,
                false,
                random.between(0, 1) == 0 ? 512 : 2048,
                512,
                random.between(4, 40),
                random.between(0, 4) == 0 ? 64 : 0,
                false,
                longest,
                random.between(0, 5) == 0 ? SchedulerSettings.Policy.PRIORITY : SchedulerSettings.Policy.FCFS,
                random.between(0, 3) == 0 ? 0.05 : 0,
                random.between(0, 4) > 0,
                true,
                random.between(0, 1) == 0,
                1,
                Speculation.NONE);
    }

    private static Workload workload(Randomness random, int seed) {
        Lengths input = new Lengths.Uniform(1, 400);
        Lengths output = new Lengths.Uniform(1, 300);
        Arrivals arrivals = new Arrivals.Gamma(20 + 200 * random.uniform(), 0.5 + random.uniform());
        Extent extent = Extent.ofRequests(60);
        return switch (random.between(0, 3)) {
            case 0 -> new ClosedLoop(random.between(1, 20), random.between(0, 1) * 0.01, input, output, extent, seed);
            case 1 -> new SharedPrefix(arrivals, 100, 50, 120, 3, 2, extent, seed);
            case 2 ->
                new Conversations(
                        arrivals,
                        new Conversations.Shape(
                                2,
                                64,
                                new Lengths.Uniform(1, 5),
                                new Lengths.Uniform(1, 80),
                                new Lengths.Uniform(1, 60),
                                0.05),
                        Extent.ofRequests(20),
                        seed);
            default -> new OpenLoop(arrivals, random.between(1, 3), input, output, extent, seed);
        };
    }
}
