package dev.kvcast.validator.cli;

import dev.kvcast.cli.CommandLineRunner;
import dev.kvcast.cli.Terminal;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs typical commands into the void, so that the JVM sees which classes they load and writes them to the class-data
 * archive that the launcher keeps. What is missing from {@link #COMMANDS} still works; it only starts slower.
 */
public final class ArchiveTraining {

    private static final List<String> LAUNCH = List.of(
            "--gpu=RTX 3090",
            "--engine-version=0.32.0",
            "--",
            "vllm",
            "serve",
            "InternScience/Agents-A1-4B",
            "--max-model-len=262144",
            "--gpu-memory-utilization=0.94");

    /** One line for each path that should start quickly. */
    static final List<List<String>> COMMANDS = List.of(
            List.of("--version"),
            List.of("--help"),
            command("fit"),
            command("fit", "--format=json"),
            command("matrix"),
            command("matrix", "--format=json", "--contexts=0,16K", "--concurrency=1,2"),
            command("matrix", "--format=md"),
            command("matrix", "--format=csv"),
            List.of("fit", "--model=Qwen/Qwen3-8B", "--gpu=H100 80GB SXM", "--quiet"));

    private ArchiveTraining() {}

    /** Runs every command once; their results do not matter. */
    public static void main(String[] args) {
        OutputStream nowhere = OutputStream.nullOutputStream();
        Terminal terminal = Terminal.to(nowhere, nowhere, true, Map.of());
        for (List<String> command : COMMANDS) {
            CommandLineRunner.run(new AllVerbs(), terminal, command.toArray(String[]::new));
        }
    }

    /** A verb, its own options, and the launch line. */
    private static List<String> command(String... own) {
        List<String> words = new ArrayList<>(List.of(own));
        words.addAll(LAUNCH);
        return List.copyOf(words);
    }
}
