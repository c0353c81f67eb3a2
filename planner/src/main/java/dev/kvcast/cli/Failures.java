package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever went wrong into one line on standard error and an {@link ExitCode}. */
final class Failures {

    private Failures() {}

    /** Prints the line and returns the exit code; a reader that closed its end of the pipe is no failure. */
    static int report(Throwable failure, Terminal terminal, boolean debug) {
        if (failure instanceof OutputWriter.Failure output && output.isClosedPipe()) {
            return ExitCode.OK;
        }
        flushQuietly(terminal.out());
        PrintWriter err = terminal.err();
        err.println("kvcast: " + oneLine(message(failure)));
        if (failure instanceof ParameterException usage) {
            err.println("try '" + usage.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        }
        if (debug) {
            failure.printStackTrace(err);
        }
        return code(failure);
    }

    /** A first word that is no verb, with the nearest verb or all of them. */
    static InputException unknownVerb(String word, List<String> names) {
        String nearest = Nearest.to(word, names);
        return InputException.badInput("unknown verb '" + word + "'; "
                + (nearest.isEmpty()
                        ? "expected one of " + String.join(", ", names)
                        : "did you mean '" + nearest + "'?"));
    }

    private static int code(Throwable failure) {
        if (failure instanceof InputException input) {
            return input.code().exitCode();
        }
        return failure instanceof ParameterException || failure instanceof OutputWriter.Failure
                ? ExitCode.USAGE
                : ExitCode.INTERNAL;
    }

    private static String message(Throwable failure) {
        if (failure instanceof InputException) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof OutputWriter.Failure) {
            return "cannot write the output: " + failure.getMessage();
        }
        if (failure instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        if (failure instanceof ParameterException) {
            return lowerFirst(String.valueOf(failure.getMessage()));
        }
        if (failure instanceof OutOfMemoryError) {
            return "out of memory; give Java more with KVCAST_JAVA_OPTS=-Xmx4g";
        }
        return "internal error: " + failure + "; please report it with the output of the same command and --debug";
    }

    private static String unmatched(UnmatchedArgumentException failure) {
        String word = failure.getUnmatched().get(0);
        List<String> suggestions = failure.getSuggestions();
        return (failure.isUnknownOption() ? "unknown option '" : "unexpected argument '") + word + "'"
                + (suggestions.isEmpty() ? "" : "; did you mean '" + suggestions.get(0) + "'?");
    }

    private static String lowerFirst(String message) {
        return message.isEmpty() ? message : Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }

    /** An input's own line breaks and control characters must not break the line or reach the terminal. */
    static String oneLine(String message) {
        StringBuilder line = new StringBuilder(message.length());
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            line.append(Character.isISOControl(c) ? ' ' : c);
        }
        return line.toString();
    }

    private static void flushQuietly(PrintWriter out) {
        try {
            out.flush();
        } catch (OutputWriter.Failure alreadyFailing) {
            // The first failure is the one to tell.
        }
    }
}
