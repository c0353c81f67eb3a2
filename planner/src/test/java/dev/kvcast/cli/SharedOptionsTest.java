package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.report.Format;
import dev.kvcast.report.Style;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class SharedOptionsTest {

    private static SharedOptions.Choice choose(boolean terminal, Map<String, String> environment, String... args) {
        SharedOptions options = new SharedOptions();
        CommandSpec spec = CommandSpec.create();
        options.addTo(spec);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return options.in(
                new CommandLine(spec).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(args),
                new Terminal(nowhere, nowhere, terminal, environment));
    }

    @Test
    void defaultIsAColouredTableAtATerminal() {
        assertThat(choose(true, Map.of())).isEqualTo(new SharedOptions.Choice(Format.TABLE, false, Style.COLOUR));
    }

    @Test
    void colourIsOffForPipesAndWhereItIsDeclined() {
        assertThat(choose(false, Map.of()).style()).isEqualTo(Style.PLAIN);
        assertThat(choose(true, Map.of(), "--no-color").style()).isEqualTo(Style.PLAIN);
        assertThat(choose(true, Map.of("NO_COLOR", "1")).style()).isEqualTo(Style.PLAIN);
        assertThat(choose(true, Map.of("NO_COLOR", "")).style()).isEqualTo(Style.COLOUR);
        assertThat(choose(true, Map.of("TERM", "dumb")).style()).isEqualTo(Style.PLAIN);
        assertThat(choose(true, Map.of(), "--format", "csv").style()).isEqualTo(Style.PLAIN);
    }

    @Test
    void formatsAreReadInEitherCase() {
        assertThat(choose(false, Map.of(), "--format", "json", "--quiet"))
                .isEqualTo(new SharedOptions.Choice(Format.JSON, true, Style.PLAIN));
        assertThat(choose(false, Map.of(), "--format=MD").format()).isEqualTo(Format.MD);
    }
}
