package dev.kvcast.capacity;

import java.util.Locale;

/** Whether a load fits, from best to worst. */
public enum Verdict {
    /** Every request can reach its full length at once, with nothing shared and without preemption. */
    FITS,
    /**
     * It can be admitted and run, but only while outputs are short or prefixes are shared, or the pool is not known
     * well enough to promise more: it may queue or preempt.
     */
    TIGHT,
    /** That many requests cannot be held at that context, or the benchmark's own rule skips the cell. */
    OVER;

    /** The word used in output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
