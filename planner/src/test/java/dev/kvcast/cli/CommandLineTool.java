package dev.kvcast.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** Runs the command line in this process and keeps what it wrote. */
final class CommandLineTool {

    private CommandLineTool() {}

    /**
     * One run.
     *
     * @param code exit code
     * @param out what scripts read
     * @param err what people read besides
     */
    record Run(int code, String out, String err) {
        /** The output as JSON. */
        Map<String, Object> json() {
            try {
                return JSON.std.mapFrom(out);
            } catch (IOException e) {
                throw new UncheckedIOException(out, e);
            }
        }
    }

    static Run run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, Map.of());
        int code = CommandLineRunner.run(new PlannerVerbs(), terminal, args);
        return new Run(code, out.toString(), err.toString());
    }
}
