package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Runs one call of the tool: finds the verb, parses, executes, and turns every failure into one line and a code. */
public final class CommandLineRunner {

    private static final String DEBUG = "--debug";

    private CommandLineRunner() {}

    /**
     * Runs one command.
     *
     * @param verbs what can be typed
     * @param terminal where to write
     * @param args the words typed after the tool's name
     * @return an {@link ExitCode}
     */
    public static int run(Verbs verbs, Terminal terminal, String... args) {
        List<String> words = Arrays.asList(args);
        int separator = words.indexOf("--");
        List<String> own = separator < 0 ? words : words.subList(0, separator);
        List<String> engineCommand = separator < 0 ? List.of() : words.subList(separator + 1, words.size());
        boolean debug = own.contains(DEBUG);
        try {
            CommandLine commandLine = commandLine(verbs, new Invocation(terminal, engineCommand), own);
            commandLine.setExecutionExceptionHandler((e, c, p) -> report(e, terminal.err(), debug));
            int code = own.isEmpty()
                    ? usage(commandLine, terminal.err())
                    : commandLine.execute(own.toArray(String[]::new));
            terminal.out().flush();
            terminal.err().flush();
            return code;
        } catch (OutputWriter.Failure e) {
            return e.isClosedPipe() ? ExitCode.OK : report(e, terminal.err(), debug);
        }
    }

    private static int usage(CommandLine commandLine, PrintWriter err) {
        commandLine.usage(err);
        return ExitCode.USAGE;
    }

    private static CommandLine commandLine(Verbs verbs, Invocation invocation, List<String> own) {
        CommandLine root = new CommandLine(new KvcastCommand());
        Optional<Object> typed = own.isEmpty() ? Optional.empty() : verbs.create(own.get(0), invocation);
        if (typed.isPresent()) {
            root.addSubcommand(typed.get());
        } else {
            for (String name : verbs.names()) {
                verbs.create(name, invocation).ifPresent(root::addSubcommand);
            }
        }
        root.setOut(invocation.terminal().out());
        root.setErr(invocation.terminal().err());
        root.setParameterExceptionHandler(CommandLineRunner::reportUsage);
        return root;
    }

    private static int reportUsage(ParameterException e, String[] args) {
        CommandLine commandLine = e.getCommandLine();
        PrintWriter err = commandLine.getErr();
        err.println("kvcast: " + e.getMessage());
        err.println("try '" + commandLine.getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.USAGE;
    }

    private static int report(Exception e, PrintWriter err, boolean debug) {
        int code;
        if (e instanceof OutputWriter.Failure failure && failure.isClosedPipe()) {
            return ExitCode.OK;
        } else if (e instanceof InputException input) {
            err.println("kvcast: " + input.getMessage());
            code = input.code().exitCode();
        } else {
            err.println("kvcast: internal error: " + e + "; run again with --debug and report it");
            code = ExitCode.INTERNAL;
        }
        if (debug) {
            e.printStackTrace(err);
        }
        err.flush();
        return code;
    }
}
