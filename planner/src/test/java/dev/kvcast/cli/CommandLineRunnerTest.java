package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.model.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

class CommandLineRunnerTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return run(new PrintWriter(out), args);
    }

    private int run(PrintWriter data, String... args) {
        Terminal terminal = new Terminal(data, new PrintWriter(err), false, Map.of());
        return CommandLineRunner.run(new TestVerbs(), terminal, args);
    }

    @Test
    void versionGoesToStandardOutput() {
        assertThat(run("--version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).matches("kvcast \\d+\\.\\d+\\.\\d+\\R");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpListsEveryVerb() {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .contains(
                        "Usage: kvcast VERB [options] [-- ENGINE COMMAND]",
                        "  echo  Prints its engine command.",
                        "fail");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpOfAVerbIsTheSameBothWays() {
        assertThat(run("help", "echo")).isEqualTo(ExitCode.OK);
        String help = out.toString();
        out.getBuffer().setLength(0);
        assertThat(run("echo", "--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).isEqualTo(help).contains("Usage: kvcast echo", "--context=TOKENS");
    }

    @Test
    void noVerbIsAUsageErrorWithHelp() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("Usage:");
    }

    @Test
    void mistypedVerbIsOneLineWithASuggestion() {
        assertThat(run("ecoh")).isEqualTo(ExitCode.USAGE);
        assertThat(err).hasToString(line("kvcast: unknown verb 'ecoh'; expected one of echo, fail"));
        err.getBuffer().setLength(0);
        assertThat(run("ech")).isEqualTo(ExitCode.USAGE);
        assertThat(err).hasToString(line("kvcast: unknown verb 'ech'; did you mean 'echo'?"));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void mistypedOptionNamesTheNearest() {
        assertThat(run("echo", "--contxt", "1K")).isEqualTo(ExitCode.USAGE);
        assertThat(err)
                .hasToString(line("kvcast: unknown option '--contxt'; did you mean '--context'?")
                        + line("try 'kvcast echo --help'"));
    }

    @Test
    void badValueNamesOptionAndMend() {
        assertThat(run("echo", "--context", "lots")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .startsWith("kvcast: invalid value for option '--context'")
                .contains("'lots' is not a number; expected tokens such as 16384 or 16K")
                .contains("try 'kvcast echo --help'");
    }

    @Test
    void everythingAfterTheDashesIsTakenVerbatim() {
        assertThat(run("echo", "--context=16K", "--", "vllm", "serve", "--help", "--", "@x", ""))
                .isEqualTo(ExitCode.OK);
        assertThat(out).hasToString("16384 [vllm, serve, --help, --, @x, ]");
    }

    @Test
    void engineCommandIsRefusedWhereItMeansNothing() {
        assertThat(run("fail", "--", "vllm")).isEqualTo(ExitCode.USAGE);
        assertThat(err).hasToString(line("kvcast: 'fail' takes no engine command; leave out '--' and what follows it"));
    }

    @Test
    void inputProblemIsOneLineWithItsExitCode() {
        assertThat(run("fail", "input")).isEqualTo(ExitCode.UNKNOWN);
        assertThat(err).hasToString(line("kvcast: no model 'x y'; see 'kvcast models'"));
    }

    @Test
    void debugAddsTheStackTrace() {
        assertThat(run("fail", "input", "--debug")).isEqualTo(ExitCode.UNKNOWN);
        assertThat(err.toString()).startsWith("kvcast: no model").contains("\tat ");
    }

    @Test
    void faultOfOurOwnIsOneLineToo() {
        assertThat(run("fail", "bug")).isEqualTo(ExitCode.INTERNAL);
        assertThat(err.toString()).startsWith("kvcast: internal error: java.lang.IllegalStateException: oops");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void deepRecursionIsCaught() {
        assertThat(run("fail", "deep")).isEqualTo(ExitCode.INTERNAL);
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void closedPipeIsQuiet() {
        assertThat(run(failing("Broken pipe"), "--version")).isEqualTo(ExitCode.OK);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void fullDiskIsNot() {
        assertThat(run(failing("No space left on device"), "--version")).isEqualTo(ExitCode.USAGE);
        assertThat(err).hasToString(line("kvcast: cannot write the output: No space left on device"));
    }

    private static PrintWriter failing(String message) {
        return OutputWriter.to(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(message);
            }
        });
    }

    private static String line(String text) {
        return text + System.lineSeparator();
    }

    private static final class TestVerbs implements Verbs {
        @Override
        public List<String> names() {
            return List.of("echo", "fail");
        }

        @Override
        public Optional<Verb> find(String name) {
            return switch (name) {
                case "echo" -> Optional.of(new Echo());
                case "fail" -> Optional.of(new Fail());
                default -> Optional.empty();
            };
        }
    }

    private static final class Echo implements Verb {
        private final CliOption<Long> context = CliOption.tokens("--context", "TOKENS", "Tokens.");

        @Override
        public CommandSpec spec() {
            CommandSpec spec = CommandSpec.create().addOption(context.spec());
            spec.usageMessage().description("Prints its engine command.");
            return spec;
        }

        @Override
        public boolean takesEngineCommand() {
            return true;
        }

        @Override
        public int run(ParseResult arguments, Invocation invocation) {
            invocation.terminal().out().print(context.in(arguments).orElse(0L) + " " + invocation.engineCommand());
            return ExitCode.OK;
        }
    }

    private static final class Fail implements Verb {
        @Override
        public CommandSpec spec() {
            CommandSpec spec = CommandSpec.create()
                    .addPositional(PositionalParamSpec.builder()
                            .paramLabel("HOW")
                            .arity("0..1")
                            .type(String.class)
                            .build());
            new SharedOptions().addTo(spec);
            return spec;
        }

        @Override
        public int run(ParseResult arguments, Invocation invocation) {
            String how = arguments.matchedPositionalValue(0, "");
            return switch (how) {
                case "input" -> throw InputException.unknownModel("no model 'x\ny'; see 'kvcast models'");
                case "deep" -> run(arguments, invocation);
                default -> throw new IllegalStateException("oops");
            };
        }
    }
}
