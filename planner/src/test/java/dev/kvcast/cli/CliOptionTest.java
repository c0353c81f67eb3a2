package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.report.Format;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

class CliOptionTest {

    private static <T> Optional<T> parse(CliOption<T> option, String... args) {
        return option.in(new CommandLine(CommandSpec.create().addOption(option.spec())).parseArgs(args));
    }

    @Test
    void absentIsEmpty() {
        assertThat(parse(CliOption.text("--model", "NAME"))).isEmpty();
        assertThat(parse(CliOption.flag("--why"))).isEmpty();
    }

    @Test
    void valuesHaveTheirTypes() {
        assertThat(parse(CliOption.text("--model", "NAME"), "--model", "a b")).contains("a b");
        assertThat(parse(CliOption.path("--models", "DIR"), "--models=x/y")).contains(Path.of("x/y"));
        assertThat(parse(CliOption.number("--gpu-memory-bytes", "N"), "--gpu-memory-bytes", "25250627584"))
                .contains(25_250_627_584L);
        assertThat(parse(CliOption.decimal("--rate", "R"), "--rate", "0.5")).contains(0.5);
        assertThat(parse(CliOption.tokens("--context", "TOKENS"), "--context", "16K"))
                .contains(16_384L);
        assertThat(parse(CliOption.tokenList("--contexts", "LIST"), "--contexts", "0,16K, 32k"))
                .contains(List.of(0L, 16_384L, 32_768L));
        assertThat(parse(CliOption.flag("--why"), "--why")).contains(true);
        assertThat(CliOption.choice(Format.class, "--format").spec().paramLabel())
                .isEqualTo("table|json|csv|md");
    }

    @Test
    void badValuesAreParameterErrors() {
        assertThatThrownBy(() -> parse(CliOption.tokenList("--contexts", "LIST"), "--contexts", "1K,,2K"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--contexts");
        assertThatThrownBy(() -> parse(CliOption.number("--n", "N"), "--n", "-1"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'-1' is not a number");
    }
}
