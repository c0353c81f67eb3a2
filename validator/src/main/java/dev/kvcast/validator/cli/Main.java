package dev.kvcast.validator.cli;

import dev.kvcast.cli.CommandLineRunner;
import dev.kvcast.cli.Terminal;

/** Entry point of the full command line, and of the runnable jar. */
public final class Main {

    private Main() {}

    /** Runs one command and exits with its {@link dev.kvcast.cli.ExitCode}. */
    public static void main(String[] args) {
        System.exit(CommandLineRunner.run(new AllVerbs(), Terminal.ofProcess(), args));
    }
}
