package dev.kvcast.model;

/**
 * A problem with what the user gave: a file, a name, a flag or a server.
 *
 * <p>The message is one line that names the input and the mend, without a trailing full stop, for example
 * {@code hidden_size is -1; expected a positive size below 2^31}. The command line prints it as it is and exits with
 * {@link Code#exitCode()}; batch output carries {@link Code#label()}.
 */
public final class InputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Code code;

    /** What kind of input is at fault, with the name and exit code scripts rely on. */
    public enum Code {
        /** Malformed or contradictory input, or wrong usage. */
        BAD_INPUT("bad_input", 2),
        /** No model of that name, or an ambiguous one. */
        UNKNOWN_MODEL("unknown_model", 3),
        /** No accelerator of that name, or an ambiguous one. */
        UNKNOWN_GPU("unknown_gpu", 3),
        /** A model architecture, quantization or data type whose memory rules are not known. */
        UNKNOWN_ARCHITECTURE("unknown_architecture", 3),
        /** Understood, but not modelled for this engine or version. */
        UNSUPPORTED("unsupported", 3),
        /** A server that cannot be reached or that failed. */
        SERVER("server", 4);

        private final String label;
        private final int exitCode;

        Code(String label, int exitCode) {
            this.label = label;
            this.exitCode = exitCode;
        }

        /** The name used in JSON, for example {@code unknown_model}. */
        public String label() {
            return label;
        }

        /** The process exit code, 2 to 4. */
        public int exitCode() {
            return exitCode;
        }
    }

    private InputException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** Malformed or contradictory input. */
    public static InputException badInput(String message) {
        return new InputException(Code.BAD_INPUT, message);
    }

    /** A model name that is not in the catalogue, or matches several; the message lists the candidates. */
    public static InputException unknownModel(String message) {
        return new InputException(Code.UNKNOWN_MODEL, message);
    }

    /** An accelerator name that is not in the catalogue, or matches several; the message lists the candidates. */
    public static InputException unknownGpu(String message) {
        return new InputException(Code.UNKNOWN_GPU, message);
    }

    /** A model architecture, quantization or data type whose memory rules are not known. */
    public static InputException unknownArchitecture(String message) {
        return new InputException(Code.UNKNOWN_ARCHITECTURE, message);
    }

    /** Something understood but not modelled. */
    public static InputException unsupported(String message) {
        return new InputException(Code.UNSUPPORTED, message);
    }

    /** A server that cannot be reached or that failed. */
    public static InputException server(String message) {
        return new InputException(Code.SERVER, message);
    }

    /** The same problem with its origin attached, for {@code --debug}. */
    public InputException because(Throwable cause) {
        InputException copy = new InputException(code, String.valueOf(getMessage()));
        copy.initCause(cause);
        return copy;
    }

    /** What kind of input is at fault. */
    public Code code() {
        return code;
    }
}
