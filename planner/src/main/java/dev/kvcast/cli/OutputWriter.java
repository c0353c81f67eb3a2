package dev.kvcast.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Serial;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * A UTF-8 writer that stops the command when nobody reads any more.
 *
 * <p>A plain {@link PrintWriter} hides a failed write, so a command piped into {@code head} would compute to its end,
 * and a full disk would look like success. This one throws {@link Failure}.
 */
final class OutputWriter extends Writer {

    private final Writer target;

    private OutputWriter(Writer target) {
        this.target = target;
    }

    /** A buffered print writer whose failures surface as {@link Failure}. */
    static PrintWriter to(OutputStream stream) {
        return new PrintWriter(new OutputWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8)));
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
        try {
            target.write(buffer, offset, length);
        } catch (IOException e) {
            throw new Failure(e);
        }
    }

    @Override
    public void flush() {
        try {
            target.flush();
        } catch (IOException e) {
            throw new Failure(e);
        }
    }

    @Override
    public void close() {
        try {
            target.close();
        } catch (IOException e) {
            throw new Failure(e);
        }
    }

    /** A write that did not arrive. */
    static final class Failure extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1L;

        Failure(IOException cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }

        /** Whether the reader closed its end, which is no error. */
        boolean isClosedPipe() {
            String message = String.valueOf(getMessage());
            return message.contains("Broken pipe") || message.contains("pipe is being closed");
        }
    }
}
