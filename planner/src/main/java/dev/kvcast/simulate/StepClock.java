package dev.kvcast.simulate;

/**
 * How long a step takes. For loads without prompt chunks the time must be affine in {@link StepLoad#contextTokens()} and
 * {@link StepLoad#windowTokens} at a given number of sequences: runs of decode steps are then summed in closed form.
 */
public interface StepClock {

    /** Seconds from the start of one step to the start of the next when the engine is busy; positive. */
    double seconds(StepLoad load);

    /** Attention windows in tokens that the time depends on; none for full attention only. */
    default int[] windows() {
        return new int[0];
    }
}
