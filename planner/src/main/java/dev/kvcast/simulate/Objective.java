package dev.kvcast.simulate;

/**
 * What a request must keep to count as served well, in seconds; infinity where nothing is asked.
 *
 * @param timeToFirstToken time to the first token
 * @param perOutputToken mean time between its tokens
 * @param endToEnd time to the last token
 */
public record Objective(double timeToFirstToken, double perOutputToken, double endToEnd) {

    /** Nothing is asked. */
    public static final Objective NONE =
            new Objective(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** Whether a request with these times counts. */
    public boolean isMet(double firstToken, double perToken, double end) {
        return firstToken <= timeToFirstToken && perToken <= perOutputToken && end <= endToEnd;
    }
}
