package dev.kvcast.cli;

/** The process exit codes that scripts may rely on. */
public final class ExitCode {

    /** Success; for {@code fit}, it fits. */
    public static final int OK = 0;
    /** The demand is over capacity. */
    public static final int OVER = 1;
    /** Wrong usage or bad input. */
    public static final int USAGE = 2;
    /** Unknown model, accelerator or architecture. */
    public static final int UNKNOWN = 3;
    /** A server could not be reached or failed. */
    public static final int SERVER = 4;
    /** A comparison is outside its tolerance. */
    public static final int COMPARISON = 5;
    /** A fault of kvcast itself, never of its input (BSD's {@code EX_SOFTWARE}). */
    public static final int INTERNAL = 70;

    private ExitCode() {}
}
