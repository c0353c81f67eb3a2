package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Adjustment;
import dev.kvcast.engine.Scenario;
import dev.kvcast.engine.vllm.VllmEngine.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Changes of a vLLM launch line that free memory or make tokens cheaper, most harmless first. */
final class Adjustments {

    private static final double HIGH_UTILIZATION = 0.95;

    /** FP8 arithmetic starts with Ada; Ampere stores FP8 and computes in 16 bits. */
    private static final int AMPERE = 80;

    private Adjustments() {}

    static List<Adjustment> of(Deployment deployment, Scenario scenario) {
        VllmSettings settings = deployment.settings();
        List<Adjustment> changes = new ArrayList<>();
        if (settings.utilization() < HIGH_UTILIZATION) {
            changes.add(flag(scenario, "--gpu-memory-utilization", "0.95", "needs the card to itself"));
        }
        if (settings.towerLoaded()) {
            changes.add(bare(scenario, "--language-model-only", "no images"));
        }
        int few = lowerSequences(settings.batch().maxSequences());
        if (few > 0) {
            changes.add(flag(scenario, "--max-num-seqs", String.valueOf(few), "at most " + few + " requests at once"));
        }
        boolean plainCache = KvCacheDtype.parse(settings.cache().dtype())
                .map(dtype -> dtype.bits() >= 16)
                .orElse(true);
        boolean capable = scenario.accelerator().computeCapability() >= AMPERE
                || !scenario.accelerator().vendor().equals("NVIDIA");
        if (plainCache && capable) {
            changes.add(flag(scenario, "--kv-cache-dtype", "fp8", "slightly less accurate"));
        }
        if (settings.graphs().used()) {
            changes.add(bare(scenario, "--enforce-eager", "slower decode"));
        }
        for (int ranks = settings.parallelism().tensor() * 2;
                settings.parallelism().worldSize() == settings.parallelism().tensor()
                        && ranks <= scenario.accelerators();
                ranks *= 2) {
            changes.add(flag(scenario, "--tensor-parallel-size", String.valueOf(ranks), ""));
        }
        return changes;
    }

    /** A quarter of many sequences frees sampler and graph memory that few users need. */
    private static int lowerSequences(int sequences) {
        return sequences > 64 ? 64 : sequences > 16 ? 16 : 0;
    }

    private static Adjustment flag(Scenario scenario, String flag, String value, String caveat) {
        List<String> arguments = without(scenario.arguments(), flag);
        arguments.add(flag);
        arguments.add(value);
        return new Adjustment(flag + " " + value, caveat, scenario.withArguments(arguments));
    }

    private static Adjustment bare(Scenario scenario, String flag, String caveat) {
        List<String> arguments = new ArrayList<>(scenario.arguments());
        arguments.add(flag);
        return new Adjustment(flag, caveat, scenario.withArguments(arguments));
    }

    /** The arguments without a flag and its value, whichever way it was spelled. */
    private static List<String> without(List<String> arguments, String flag) {
        Set<String> spellings = switch (flag) {
            case "--tensor-parallel-size" -> Set.of(flag, "-tp");
            default -> Set.of(flag);
        };
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i).startsWith("--") ? arguments.get(i).replace('_', '-') : arguments.get(i);
            int equals = word.indexOf('=');
            String name = equals > 0 ? word.substring(0, equals) : word;
            if (!spellings.contains(name)) {
                kept.add(arguments.get(i));
            } else if (equals < 0) {
                i++;
            }
        }
        return kept;
    }
}
