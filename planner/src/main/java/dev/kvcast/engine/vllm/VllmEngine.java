package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Adjustment;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Engine;
import dev.kvcast.engine.Scenario;
import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** vLLM's V1 engine, releases 0.9 to 0.32. Stateless and thread-safe. */
public final class VllmEngine implements Engine {

    private final MemoryCoefficients coefficients;

    /** An engine with the given fitted coefficients. */
    public VllmEngine(MemoryCoefficients coefficients) {
        this.coefficients = coefficients;
    }

    @Override
    public String name() {
        return "vllm";
    }

    @Override
    public BootPlan plan(Scenario scenario) {
        return new BootPlanner(deployment(scenario), coefficients).plan();
    }

    @Override
    public List<Adjustment> adjustments(Scenario scenario) {
        return Adjustments.of(deployment(scenario), scenario);
    }

    @Override
    public Optional<String> quantizationOnLoad(List<String> arguments) {
        return Quantizations.onLoad(arguments);
    }

    /** A scenario with its flags read, its release's rules looked up and every default applied. */
    static Deployment deployment(Scenario scenario) {
        VllmVersionReader.Reading reading = VllmVersionReader.read(scenario.version());
        VllmRules rules = VllmRules.of(reading.version());
        boolean booted = scenario.pinnedPoolBytes().isPresent();
        VllmOptions options = VllmOptionsReader.read(scenario.arguments(), environment(scenario, booted));
        VllmSettings settings = VllmSettingsResolver.resolve(rules, options, scenario.model(), scenario.accelerator());
        int needed = settings.parallelism().worldSize();
        if (needed > scenario.accelerators() && !booted) {
            throw InputException.badInput("the flags need " + needed + " GPUs and " + scenario.accelerators()
                    + " are given; add them to --gpu (\""
                    + scenario.accelerator().name() + "x" + needed
                    + "\") or lower the parallel sizes");
        }
        List<String> warnings = new ArrayList<>(reading.warnings());
        warnings.addAll(settings.warnings());
        if (needed > scenario.accelerators()) {
            warnings.add("the flags need " + needed + " GPUs; the log's pool shows that they were there");
        }
        warnings.addAll(Caveats.of(scenario.model(), options));
        Drafter drafter = Drafters.of(scenario.model(), options);
        if (!drafter.known()) {
            warnings.add("the draft model's layers and weights are not known; " + drafter.weightsGib() + " GiB and "
                    + (drafter.full() + drafter.sliding()) + " caching layers assumed");
        }
        if (needed < scenario.accelerators()) {
            warnings.add("the flags use " + needed + " of " + scenario.accelerators()
                    + " GPUs; --tensor-parallel-size divides the model over more");
        }
        return new Deployment(scenario, rules, options, settings, warnings);
    }

    /** A boot whose log is at hand was allowed whatever length it asked for. */
    private static Map<String, String> environment(Scenario scenario, boolean booted) {
        Map<String, String> environment = new HashMap<>(scenario.environment());
        if (booted) {
            environment.putIfAbsent("VLLM_ALLOW_LONG_MAX_MODEL_LEN", "1");
        }
        return environment;
    }

    /**
     * What a launch line comes to.
     *
     * @param scenario as asked
     * @param rules of the release
     * @param options as given
     * @param settings with every default applied
     * @param warnings what the user should know
     */
    record Deployment(
            Scenario scenario, VllmRules rules, VllmOptions options, VllmSettings settings, List<String> warnings) {
        /** Copies the list. */
        Deployment {
            warnings = List.copyOf(warnings);
        }
    }
}
