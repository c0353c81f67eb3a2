package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandLineRunnerTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, Map.of());
        return CommandLineRunner.run(new PlannerVerbs(), terminal, args);
    }

    @Test
    void versionGoesToStandardOutput() {
        assertThat(run("--version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).matches("kvcast \\d+\\.\\d+\\.\\d+\\R");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void unknownVerbIsOneLineAndExitCodeTwo() {
        assertThat(run("fitt")).isEqualTo(ExitCode.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith("kvcast: ");
    }
}
