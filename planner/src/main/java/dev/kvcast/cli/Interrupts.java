package dev.kvcast.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a long command end early with what it has, when the user presses Ctrl-C. */
final class Interrupts implements AutoCloseable {

    private static final long MOST_SECONDS = 10;

    private final CountDownLatch printed = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean requested;

    Interrupts() {
        hook = new Thread(this::waitForOutput, "interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the user wants it to end. */
    boolean requested() {
        return requested;
    }

    private void waitForOutput() {
        requested = true;
        try {
            printed.await(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says that everything has been printed. */
    @Override
    public void close() {
        printed.countDown();
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process has begun to end; the hook has nothing left to wait for.
                requested = true;
            }
        }
    }
}
