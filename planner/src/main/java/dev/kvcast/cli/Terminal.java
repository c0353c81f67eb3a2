package dev.kvcast.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.Map;

/**
 * Where a command writes and what it may know of its surroundings; tests pass their own.
 *
 * @param out data; nothing but data
 * @param err notes, warnings and errors
 * @param outIsTerminal whether a person reads {@code out}
 * @param environment environment variables
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean outIsTerminal, Map<String, String> environment) {

    /** Set by the launcher, which can ask the system what Java cannot. */
    private static final String OUT_IS_TERMINAL = "kvcast.stdout.terminal";

    /** The streams and environment of this process. */
    public static Terminal ofProcess() {
        return to(
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Boolean.getBoolean(OUT_IS_TERMINAL),
                System.getenv());
    }

    /** UTF-8 writers to the given streams; a write that fails stops the command. */
    public static Terminal to(
            OutputStream out, OutputStream err, boolean outIsTerminal, Map<String, String> environment) {
        return new Terminal(OutputWriter.to(out), OutputWriter.to(err), outIsTerminal, environment);
    }
}
