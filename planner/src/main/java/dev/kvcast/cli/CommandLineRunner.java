package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Runs one call of the tool: finds the verb, parses, runs it, and turns every failure into one line and a code. */
public final class CommandLineRunner {

    private final Verbs verbs;
    private final Terminal terminal;

    private CommandLineRunner(Verbs verbs, Terminal terminal) {
        this.verbs = verbs;
        this.terminal = terminal;
    }

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
        try {
            int code = new CommandLineRunner(verbs, terminal).run(own, new Invocation(terminal, engineCommand));
            terminal.out().flush();
            return code;
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            return Failures.report(e, terminal, own.contains(SharedOptions.DEBUG));
        } finally {
            terminal.err().flush();
        }
    }

    private int run(List<String> words, Invocation invocation) {
        if (words.isEmpty()) {
            rootWithAllVerbs().usage(terminal.err(), ansi());
            return ExitCode.USAGE;
        }
        String first = words.get(0);
        if (first.equals("help")) {
            return help(words.subList(1, words.size()));
        }
        Optional<Verb> verb = verbs.find(first);
        if (verb.isPresent()) {
            return run(verb.get(), words, invocation);
        }
        if (!first.startsWith("-")) {
            throw Failures.unknownVerb(first, verbs.names());
        }
        ParseResult parsed = rootWithAllVerbs().parseArgs(words.toArray(String[]::new));
        CommandLine.printHelpIfRequested(parsed);
        return ExitCode.OK;
    }

    private int run(Verb verb, List<String> words, Invocation invocation) {
        CommandLine root = root();
        addVerb(root, words.get(0), verb);
        ParseResult parsed = root.parseArgs(words.toArray(String[]::new));
        if (CommandLine.printHelpIfRequested(parsed)) {
            return ExitCode.OK;
        }
        if (!invocation.engineCommand().isEmpty() && !verb.takesEngineCommand()) {
            throw InputException.badInput(
                    "'" + words.get(0) + "' takes no engine command; leave out '--' and what follows it");
        }
        return verb.run(parsed.subcommand(), invocation);
    }

    /** {@code help VERB} is {@code VERB --help}, and {@code help} alone is {@code --help}. */
    private int help(List<String> rest) {
        String verb = rest.isEmpty() ? "--help" : rest.get(0);
        return run(rest.isEmpty() ? List.of(verb) : List.of(verb, "--help"), new Invocation(terminal, List.of()));
    }

    private CommandLine root() {
        CommandSpec spec = CommandSpec.create().name("kvcast");
        spec.usageMessage()
                .description("Will this LLM fit, how fast will it be, and was that true?")
                .customSynopsis("kvcast VERB [options] [-- ENGINE COMMAND]")
                .commandListHeading("%nVerbs:%n")
                .footer("", "'kvcast VERB --help' shows a verb's options.");
        spec.versionProvider(new Version());
        spec.addOption(StandardOptions.help()).addOption(StandardOptions.version());
        return configured(new CommandLine(spec));
    }

    private CommandLine rootWithAllVerbs() {
        CommandLine root = root();
        for (String name : verbs.names()) {
            verbs.find(name).ifPresent(verb -> addVerb(root, name, verb));
        }
        return root;
    }

    private void addVerb(CommandLine root, String name, Verb verb) {
        CommandSpec spec = verb.spec().addOption(StandardOptions.help());
        root.addSubcommand(name, configured(new CommandLine(spec)));
    }

    private CommandLine configured(CommandLine commandLine) {
        return commandLine
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100);
    }

    private Help.Ansi ansi() {
        return SharedOptions.wantsColour(terminal.outIsTerminal(), terminal.environment())
                ? Help.Ansi.ON
                : Help.Ansi.OFF;
    }
}
