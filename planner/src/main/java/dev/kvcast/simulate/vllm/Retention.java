package dev.kvcast.simulate.vllm;

/**
 * Which positions of a prompt a later request can resume at ({@code replay_boundaries} in
 * {@code v1/core/kv_cache_coordinator.py}). Groups that keep only some of their blocks keep those that end there.
 */
final class Retention {

    private final int interval;
    private final int[] boundaries = new int[3];
    private int count;

    Retention(int interval) {
        this.interval = interval;
    }

    /** Whether every block is kept. */
    boolean isDense() {
        return interval == SchedulerSettings.DENSE;
    }

    /** Tokens between kept positions; 0 for none but the boundaries. */
    int interval() {
        return interval;
    }

    /** Number of boundaries. */
    int count() {
        return count;
    }

    /** A boundary in tokens. */
    int boundary(int index) {
        return boundaries[index];
    }

    /**
     * Takes the positions of one request.
     *
     * @param prompt its prompt tokens
     * @param schedulerBlock granularity of hits
     * @param draft whether some group's hits end one block earlier
     * @param junction where a shared prefix was found to end, 0 for nowhere
     */
    void of(int prompt, int schedulerBlock, boolean draft, int junction) {
        count = 0;
        if (draft) {
            int resend = (prompt - 1) / schedulerBlock * schedulerBlock;
            int extension = prompt / schedulerBlock * schedulerBlock;
            boundaries[count++] = Math.max(resend - schedulerBlock, 0);
            if (extension != resend) {
                boundaries[count++] = Math.max(extension - schedulerBlock, 0);
            }
        } else {
            boundaries[count++] = prompt - 1;
        }
        if (junction > 0) {
            boundaries[count++] = junction;
        }
    }
}
