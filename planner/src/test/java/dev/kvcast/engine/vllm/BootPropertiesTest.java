package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.capacity.Capacity;
import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.SkipRule;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.MemoryTerm;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.io.ModelCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds for every deployment, tried on random but plausible ones. */
class BootPropertiesTest {

    private static final int TRIES = 150;
    private static final long GIB = 1L << 30;

    private static final List<String> MODELS = List.of(
            "Qwen/Qwen3-8B",
            "Qwen/Qwen3.5-4B",
            "Qwen/Qwen3.6-35B-A3B",
            "google/gemma-3-4b-it",
            "meta-llama/Llama-3.1-8B-Instruct",
            "openai/gpt-oss-20b",
            "Qwen/Qwen2.5-7B-Instruct");

    private static final List<String> VERSIONS =
            List.of("0.11.0", "0.15.1", "0.19.0", "0.21.0", "0.25.1", "0.28.0", "0.32.0");

    private final Random random = new Random(20261201);
    private final ModelCatalog catalog = ModelCatalog.packaged();
    private final Accelerator card = AcceleratorTable.packaged().find("RTX 3090");
    private final VllmEngine engine = new VllmEngine(MemoryCoefficientsFile.packaged());

    @Test
    void moreMemoryNeverGivesFewerBlocks() {
        for (int i = 0; i < TRIES; i++) {
            Scenario scenario = scenario(List.of());
            long bytes = scenario.accelerator().memoryBytes();
            Scenario larger = on(scenario, bytes + random.nextLong(8 * GIB));
            if (sameTier(bytes, larger.accelerator().memoryBytes())) {
                assertThat(blocks(larger)).as("%s", scenario).isGreaterThanOrEqualTo(blocks(scenario));
            }
        }
    }

    @Test
    void higherUtilizationNeverGivesFewerBlocks() {
        for (int i = 0; i < TRIES; i++) {
            double low = 0.5 + random.nextInt(40) / 100.0;
            Scenario scenario = scenario(List.of("--gpu-memory-utilization", String.valueOf(low)));
            List<String> raised = new ArrayList<>(scenario.arguments());
            raised.add("--gpu-memory-utilization");
            raised.add(String.valueOf(low + 0.05));
            assertThat(blocks(scenario.withArguments(raised)))
                    .as("%s", scenario)
                    .isGreaterThanOrEqualTo(blocks(scenario));
        }
    }

    @Test
    void eightBitCacheNeverHoldsFewerTokens() {
        for (int i = 0; i < TRIES; i++) {
            Scenario scenario = scenario(List.of());
            List<String> eight = new ArrayList<>(scenario.arguments());
            eight.add("--kv-cache-dtype");
            eight.add("fp8");
            long tokens = engine.plan(scenario).pool().tokens();
            assertThat(engine.plan(scenario.withArguments(eight)).pool().tokens())
                    .as("%s", scenario)
                    .isGreaterThanOrEqualTo(tokens);
        }
    }

    @Test
    void moreRanksNeverHoldMoreWeightsEach() {
        for (int i = 0; i < TRIES; i++) {
            Scenario scenario = scenario(List.of());
            List<String> two = new ArrayList<>(scenario.arguments());
            two.add("--tensor-parallel-size");
            two.add("2");
            assertThat(weights(engine.plan(scenario.withArguments(two))))
                    .as("%s", scenario)
                    .isLessThanOrEqualTo(weights(engine.plan(scenario)));
        }
    }

    @Test
    void aCellThatFitsKeepsFittingWithFewerRequests() {
        for (int i = 0; i < TRIES; i++) {
            BootPlan plan = engine.plan(scenario(List.of()));
            Capacity capacity = new Capacity(plan, random.nextBoolean(), SkipRule.LLM_INFERENCE_BENCH);
            long context = random.nextInt(16384);
            long output = 1 + random.nextInt(4096);
            boolean fitted = false;
            for (int concurrency = 64; concurrency >= 1; concurrency /= 2) {
                boolean fits =
                        capacity.judge(new Cell(context, concurrency, output)).verdict() == Verdict.FITS;
                assertThat(!fitted || fits)
                        .as("%d requests of %d + %d", concurrency, context, output)
                        .isTrue();
                fitted = fits;
            }
        }
    }

    private Scenario scenario(List<String> more) {
        String model = MODELS.get(random.nextInt(MODELS.size()));
        List<String> arguments = new ArrayList<>(List.of(
                "--max-model-len",
                String.valueOf(4096 << random.nextInt(3)),
                "--max-num-seqs",
                String.valueOf(8 << random.nextInt(5)),
                "--max-num-batched-tokens",
                String.valueOf(2048 << random.nextInt(3))));
        if (random.nextBoolean()) {
            arguments.add("--enforce-eager");
        }
        arguments.addAll(more);
        ModelConfig found = catalog.find(model).model();
        Accelerator sized = card.withMemoryBytes((16 + random.nextInt(64)) * GIB);
        Optional<String> version = Optional.of(VERSIONS.get(random.nextInt(VERSIONS.size())));
        return new Scenario(found, sized, 2, version, arguments, Map.of(), OptionalLong.empty());
    }

    private static Scenario on(Scenario scenario, long bytes) {
        return new Scenario(
                scenario.model(),
                scenario.accelerator().withMemoryBytes(bytes),
                scenario.accelerators(),
                scenario.version(),
                scenario.arguments(),
                scenario.environment(),
                scenario.pinnedPoolBytes());
    }

    /** Limits of a step are given, so that only memory differs. */
    private static boolean sameTier(long bytes, long other) {
        return bytes > 0 && other >= bytes;
    }

    private long blocks(Scenario scenario) {
        return engine.plan(scenario).pool().blocks();
    }

    private static long weights(BootPlan plan) {
        return plan.memory().terms().stream()
                .filter(term -> term.kind() == MemoryTerm.Kind.WEIGHTS)
                .mapToLong(term -> term.bytes().value())
                .sum();
    }
}
