package dev.kvcast.validator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.cli.CommandLineRunner;
import dev.kvcast.cli.ExitCode;
import dev.kvcast.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllVerbsTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(List<String> command) {
        return CommandLineRunner.run(
                new AllVerbs(), Terminal.to(out, err, false, Map.of()), command.toArray(String[]::new));
    }

    @Test
    void everyVerbIsFoundAndDescribed() {
        AllVerbs verbs = new AllVerbs();
        assertThat(verbs.names()).doesNotHaveDuplicates();
        for (String name : verbs.names()) {
            assertThat(verbs.find(name)).as(name).isPresent();
            assertThat(verbs.find(name).orElseThrow().spec().usageMessage().description())
                    .as(name)
                    .isNotEmpty();
            assertThat(run(List.of(name, "--help"))).as(name).isEqualTo(ExitCode.OK);
        }
        assertThat(verbs.find("no-such-verb")).isEmpty();
    }

    /** A command that fails trains nothing, and nobody would notice. */
    @Test
    void archiveTrainingRunsClean() {
        for (List<String> command : ArchiveTraining.COMMANDS) {
            assertThat(run(command)).as(command.toString()).isEqualTo(ExitCode.OK);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .as(command.toString())
                    .isEmpty();
        }
    }
}
