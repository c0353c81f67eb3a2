package dev.kvcast.plan;

import dev.kvcast.capacity.Capacity;
import dev.kvcast.capacity.Cell;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How far the contexts and concurrencies of a matrix could go and still fit.
 *
 * @param contexts for each concurrency, the longest context
 * @param concurrencies for each context, the most requests
 */
public record Limits(List<LongestContext> contexts, List<MostRequests> concurrencies) {

    /** Copies the lists. */
    public Limits {
        contexts = List.copyOf(contexts);
        concurrencies = List.copyOf(concurrencies);
    }

    /**
     * The longest context at one concurrency.
     *
     * @param concurrency requests at once
     * @param contextTokens longest context that fits, -1 when none does
     */
    public record LongestContext(int concurrency, long contextTokens) {}

    /**
     * The most requests at one context.
     *
     * @param contextTokens context
     * @param concurrency most requests that fit, 0 when none does
     */
    public record MostRequests(long contextTokens, int concurrency) {}

    /** The limits around the cells of a matrix, at the output length of its first cell. */
    static Limits of(Capacity capacity, List<Cell> cells) {
        Set<Integer> concurrencies = new LinkedHashSet<>();
        Set<Long> contexts = new LinkedHashSet<>();
        for (Cell cell : cells) {
            concurrencies.add(cell.concurrency());
            contexts.add(cell.contextTokens());
        }
        long output = cells.isEmpty() ? 1 : cells.get(0).outputTokens();
        List<LongestContext> longest = new ArrayList<>();
        for (int concurrency : concurrencies) {
            longest.add(new LongestContext(concurrency, capacity.largestContext(concurrency, output)));
        }
        List<MostRequests> most = new ArrayList<>();
        for (long context : contexts) {
            most.add(new MostRequests(context, capacity.largestConcurrency(context, output)));
        }
        return new Limits(longest, most);
    }
}
