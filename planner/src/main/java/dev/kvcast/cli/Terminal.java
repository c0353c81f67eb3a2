package dev.kvcast.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
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
        return new Terminal(
                OutputWriter.to(new FileOutputStream(FileDescriptor.out)),
                OutputWriter.to(new FileOutputStream(FileDescriptor.err)),
                Boolean.getBoolean(OUT_IS_TERMINAL),
                System.getenv());
    }
}
