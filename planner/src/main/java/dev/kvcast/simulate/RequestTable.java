package dev.kvcast.simulate;

import java.util.Arrays;

/**
 * The requests of a run, one row each: what a client asked for, fixed once added. A request's tokens are named, not
 * stored: position {@code p} of segment {@code s} is the same token wherever it occurs.
 */
public final class RequestTable {

    /** Segment of tokens that no other request contains. */
    public static final long UNSHARED = -1;

    private int size;
    private double[] arrival = new double[64];
    private int[] prompt = new int[64];
    private int[] limit = new int[64];
    private int[] stopAt = new int[64];
    private int[] priority = new int[64];
    private boolean[] skipsCache = new boolean[64];

    /** First piece of each row in the piece columns; the pieces of row {@code r} end where those of the next start. */
    private int[] firstPiece = new int[65];

    private int pieces;
    private long[] pieceSegment = new long[64];
    private int[] pieceLength = new int[64];
    private long[] outputSegment = new long[64];
    private int[] outputStart = new int[64];

    /** An empty table. */
    public RequestTable() {}

    /** Rows. */
    public int size() {
        return size;
    }

    /**
     * Adds a request whose tokens nobody shares; {@link #sharing} and the other setters refine the row just added.
     *
     * @param arrivalSeconds when it reaches the engine
     * @param promptTokens prompt, 1 or more
     * @param outputTokens most tokens it generates, 1 or more
     * @return its row
     */
    public int add(double arrivalSeconds, int promptTokens, int outputTokens) {
        if (size == arrival.length) {
            grow();
        }
        int row = size++;
        arrival[row] = arrivalSeconds;
        prompt[row] = promptTokens;
        limit[row] = outputTokens;
        stopAt[row] = 0;
        priority[row] = 0;
        skipsCache[row] = false;
        outputSegment[row] = UNSHARED;
        outputStart[row] = 0;
        firstPiece[row + 1] = pieces;
        return row;
    }

    /** Says that the prompt of the last row goes on with the first {@code length} tokens of a segment. */
    public void sharing(long segment, int length) {
        if (pieces == pieceSegment.length) {
            pieceSegment = Arrays.copyOf(pieceSegment, pieces * 2);
            pieceLength = Arrays.copyOf(pieceLength, pieces * 2);
        }
        pieceSegment[pieces] = segment;
        pieceLength[pieces] = length;
        firstPiece[size] = ++pieces;
    }

    /** Says that the output of the last row is the tokens of a segment from {@code position} on. */
    public void outputSharing(long segment, int position) {
        outputSegment[size - 1] = segment;
        outputStart[size - 1] = position;
    }

    /** Ends the last row's output with a stop token at its {@code token}-th output token, 0 for never. */
    public void endOutputAt(int token) {
        stopAt[size - 1] = token;
    }

    /** Gives the last row a priority; smaller runs first. */
    public void prioritize(int value) {
        priority[size - 1] = value;
    }

    /** Keeps the last row from reading cached prefixes. */
    public void skipCache() {
        skipsCache[size - 1] = true;
    }

    /** When the request reaches the engine, in seconds. */
    public double arrivalSeconds(int row) {
        return arrival[row];
    }

    /** Prompt tokens. */
    public int promptTokens(int row) {
        return prompt[row];
    }

    /** Most output tokens. */
    public int maxOutputTokens(int row) {
        return limit[row];
    }

    /** The output token that is a stop token, counted from 1; 0 when none is. */
    public int stopAt(int row) {
        return stopAt[row];
    }

    /** Output tokens it will have generated in the end, the length limit of the server aside. */
    public int outputTokens(int row) {
        return stopAt[row] > 0 ? Math.min(stopAt[row], limit[row]) : limit[row];
    }

    /** Priority; smaller runs first. */
    public int priority(int row) {
        return priority[row];
    }

    /** Whether it does not read cached prefixes. */
    public boolean skipsCache(int row) {
        return skipsCache[row];
    }

    /** First piece of the row's shared tokens. */
    public int firstPiece(int row) {
        return firstPiece[row];
    }

    /** One past the last piece of the row's shared tokens. */
    public int endPiece(int row) {
        return firstPiece[row + 1];
    }

    /** Segment of a piece. */
    public long pieceSegment(int piece) {
        return pieceSegment[piece];
    }

    /** Tokens of a piece. */
    public int pieceLength(int piece) {
        return pieceLength[piece];
    }

    /** Segment of the output, or {@link #UNSHARED}. */
    public long outputSegment(int row) {
        return outputSegment[row];
    }

    /** Position of the first output token in its segment. */
    public int outputStart(int row) {
        return outputStart[row];
    }

    private void grow() {
        int capacity = size * 2;
        arrival = Arrays.copyOf(arrival, capacity);
        prompt = Arrays.copyOf(prompt, capacity);
        limit = Arrays.copyOf(limit, capacity);
        stopAt = Arrays.copyOf(stopAt, capacity);
        priority = Arrays.copyOf(priority, capacity);
        skipsCache = Arrays.copyOf(skipsCache, capacity);
        firstPiece = Arrays.copyOf(firstPiece, capacity + 1);
        outputSegment = Arrays.copyOf(outputSegment, capacity);
        outputStart = Arrays.copyOf(outputStart, capacity);
    }
}
