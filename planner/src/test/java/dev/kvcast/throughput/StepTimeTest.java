package dev.kvcast.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold for every step of every deployment, whatever the coefficients. */
class StepTimeTest {

    private static final int CASES = 300;

    static List<Deployments> deployments() {
        return List.of(
                Deployments.seed(),
                Deployments.of("Qwen/Qwen3-30B-A3B", "bf16", Deployments.card("H100 SXM 80GB"), 1),
                Deployments.of(
                        "google/gemma-3-27b-it", "int4", Deployments.card("RTX 5090"), 1, "--max-model-len", "8192"),
                Deployments.of(
                        "deepseek-ai/DeepSeek-R1",
                        "bf16",
                        Deployments.card("H200 SXM 141GB"),
                        8,
                        "--tensor-parallel-size",
                        "8"),
                Deployments.of(
                        "Qwen/Qwen3-32B",
                        "fp8",
                        Deployments.card("RTX 3090"),
                        2,
                        "--tensor-parallel-size",
                        "2",
                        "--enforce-eager",
                        "--max-model-len",
                        "8192"));
    }

    /** Coefficients anywhere in their wide priors, not just at the fit. */
    private static StepTime anyCoefficients(Deployments deployment, Random random) {
        Coefficients coefficients = deployment.coefficients();
        double[] x = coefficients.estimates();
        for (int i = 0; i < x.length; i++) {
            x[i] += random.nextGaussian();
        }
        DeploymentWork work = WorkCounter.of(deployment.scenario(), deployment.plan());
        return new StepTime(work, CoefficientValues.of(x), coefficients.form());
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void moreInAStepNeverTakesLess(Deployments deployment) {
        Random random = new Random(7);
        for (int i = 0; i < CASES; i++) {
            StepTime steps = anyCoefficients(deployment, random);
            int sequences = 1 + random.nextInt(128);
            double context = random.nextInt(60_000);
            long shared = random.nextBoolean() ? (long) context : 0;
            double now = steps.seconds(new DecodeStep(sequences, context, shared, shared > 0));
            assertThat(steps.seconds(new DecodeStep(sequences + 1, context, shared, shared > 0)))
                    .isGreaterThan(now);
            assertThat(steps.seconds(new DecodeStep(sequences, context + 500, shared, shared > 0)))
                    .isGreaterThanOrEqualTo(now);
            double tokens = 1 + random.nextInt(4096);
            double prompt = steps.seconds(new PrefillStep(1, tokens, context, true));
            assertThat(steps.seconds(new PrefillStep(1, tokens + 16, context, true)))
                    .isGreaterThan(prompt);
            assertThat(steps.seconds(new PrefillStep(1, tokens, context + 500, true)))
                    .isGreaterThanOrEqualTo(prompt);
            assertThat(steps.seconds(new PrefillStep(2, tokens, context, true))).isGreaterThan(prompt);
        }
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void noStepBeatsTheCard(Deployments deployment) {
        Random random = new Random(11);
        for (int i = 0; i < CASES; i++) {
            StepTime steps = anyCoefficients(deployment, random);
            StepContent decode = new DecodeStep(1 + random.nextInt(256), random.nextInt(100_000), 0, false);
            StepContent prefill = new PrefillStep(1, 1 + random.nextInt(8192), random.nextInt(100_000), true);
            assertThat(steps.seconds(decode)).isGreaterThanOrEqualTo(steps.leastSeconds(decode));
            assertThat(steps.seconds(prefill)).isGreaterThanOrEqualTo(steps.leastSeconds(prefill));
        }
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void moreLayersNeverTakeLess(Deployments deployment) {
        DeploymentWork work = WorkCounter.of(deployment.scenario(), deployment.plan());
        DeploymentWork deeper = doubled(work);
        CoefficientValues values =
                CoefficientValues.of(deployment.coefficients().estimates());
        StepForm form = deployment.coefficients().form();
        StepContent step = new DecodeStep(8, 4096, 0, false);
        StepContent prompt = new PrefillStep(1, 2048, 4096, true);
        for (StepContent content : List.of(step, prompt)) {
            assertThat(new StepTime(deeper, values, form).seconds(content))
                    .isGreaterThan(new StepTime(work, values, form).seconds(content));
        }
    }

    private static DeploymentWork doubled(DeploymentWork work) {
        List<MatrixGroup> matrices = new ArrayList<>();
        for (MatrixGroup group : work.matrices()) {
            matrices.add(new MatrixGroup(
                    group.kind(), group.path(), 2 * group.bytes(), 2 * group.parameters(), group.activeShare()));
        }
        List<AttentionGroup> attention = new ArrayList<>(work.attention());
        attention.addAll(work.attention());
        return new DeploymentWork(
                matrices,
                attention,
                2 * work.stateBytes(),
                2 * work.stateOperations(),
                2 * work.activationBytes(),
                2 * work.kernels(),
                work.hiddenSize(),
                work.exchange(),
                work.accelerator(),
                work.graphs());
    }

    @Test
    void aDecodeStepIsAffineInItsContext() {
        StepTime steps = Deployments.seed().steps();
        double none = steps.seconds(new DecodeStep(16, 0, 0, false));
        double some = steps.seconds(new DecodeStep(16, 10_000, 0, false));
        double twice = steps.seconds(new DecodeStep(16, 20_000, 0, false));
        assertThat(twice - some).isCloseTo(some - none, within(1e-9));
    }

    @Test
    void aSharedPrefixIsCheaperButNeverFree() {
        StepTime steps = Deployments.seed().steps();
        double apart = steps.seconds(new DecodeStep(8, 32_768, 0, false));
        double together = steps.seconds(new DecodeStep(8, 32_768, 32_768, true));
        double one = steps.seconds(new DecodeStep(1, 32_768, 0, false));
        assertThat(together).isLessThan(apart).isGreaterThan(one);
        assertThat(steps.seconds(new DecodeStep(1, 32_768, 32_768, true))).isCloseTo(one, within(1e-9));
    }

    @Test
    void prefillIsLinearPlusAttention() {
        Deployments seed = Deployments.seed();
        double[] seconds = new double[4];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = seed.speed().times().prefill(16_384L * (i + 1)).seconds(seed.steps());
        }
        double firstCurve = seconds[2] - 2 * seconds[1] + seconds[0];
        double secondCurve = seconds[3] - 2 * seconds[2] + seconds[1];
        assertThat(firstCurve).isPositive();
        assertThat(secondCurve).isCloseTo(firstCurve, within(0.1 * firstCurve));
    }
}
