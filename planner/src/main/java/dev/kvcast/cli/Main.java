package dev.kvcast.cli;

/** Entry point of the planner's own command line: the verbs that need no server. */
public final class Main {

    private Main() {}

    /** Runs one command and exits with its {@link ExitCode}. */
    public static void main(String[] args) {
        System.exit(CommandLineRunner.run(new PlannerVerbs(), Terminal.ofProcess(), args));
    }
}
