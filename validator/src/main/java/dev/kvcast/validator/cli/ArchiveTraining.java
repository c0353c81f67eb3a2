package dev.kvcast.validator.cli;

import dev.kvcast.cli.CommandLineRunner;
import dev.kvcast.cli.Terminal;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/**
 * Runs typical commands into the void, so that the JVM sees which classes they load and writes them to the class-data
 * archive that the launcher keeps. What is missing from {@link #COMMANDS} still works; it only starts slower.
 */
public final class ArchiveTraining {

    /** One line for each path that should start quickly. */
    private static final List<List<String>> COMMANDS = List.of(List.of("--version"), List.of("--help"));

    private ArchiveTraining() {}

    /** Runs every command once; their results do not matter. */
    public static void main(String[] args) {
        OutputStream nowhere = OutputStream.nullOutputStream();
        Terminal terminal = Terminal.to(nowhere, nowhere, true, Map.of());
        for (List<String> command : COMMANDS) {
            CommandLineRunner.run(new AllVerbs(), terminal, command.toArray(String[]::new));
        }
    }
}
