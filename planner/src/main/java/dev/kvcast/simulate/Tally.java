package dev.kvcast.simulate;

/** Sums and distributions of a run, filled while it goes. */
final class Tally {

    final Distribution timeToFirstToken = new Distribution();
    final Distribution interToken = new Distribution();
    final Distribution perOutputToken = new Distribution();
    final Distribution endToEnd = new Distribution();
    long steps;
    long preemptions;
    long outputTokens;
    long promptTokens;
    long cachedTokens;
    int completed;
    int rejected;
    int withinObjective;
    double peakUsage;

    /** The share of a pool in use now, which may be a peak. */
    double usage(Scheduler scheduler) {
        double usage = 1 - (double) scheduler.freeBlocks() / Math.max(1, scheduler.usableBlocks());
        peakUsage = Math.max(peakUsage, usage);
        return usage;
    }
}
