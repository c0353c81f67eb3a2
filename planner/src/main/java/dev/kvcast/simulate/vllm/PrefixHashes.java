package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.TokenHash;
import java.util.Arrays;

/**
 * Hashes of a request's prefixes, one per unit of tokens, each over everything before it ({@code Request.block_hashes}).
 * They are computed when first asked for and kept while the request is alive.
 *
 * <p>Prefixes that only their own request has are {@link #PRIVATE} until the request is preempted: before that, nobody
 * can ask for them.
 */
final class PrefixHashes {

    /** Stands for the hash of a prefix that nobody can ask for. */
    static final long PRIVATE = 0;

    private final RequestTable requests;
    private final int unit;
    private final boolean hidesPrivate;
    private long[][] hashes = new long[16][];
    private int[] owner = new int[16];
    private int[] count = new int[16];
    private int[] sharedUnits = new int[16];
    private boolean[] exposed = new boolean[16];
    /** Where the next unit begins: a piece of the request's shared tokens, and a position in it. */
    private int[] piece = new int[16];

    private int[] position = new int[16];

    PrefixHashes(RequestTable requests, int unit, boolean hidesPrivate) {
        this.requests = requests;
        this.unit = unit;
        this.hidesPrivate = hidesPrivate;
    }

    /** Tokens per hash. */
    int unit() {
        return unit;
    }

    /** Starts over for the request that now lives in {@code slot}. */
    void open(int slot, int request) {
        if (slot >= hashes.length) {
            grow(slot + 1);
        }
        owner[slot] = request;
        count[slot] = 0;
        piece[slot] = requests.firstPiece(request);
        position[slot] = 0;
        exposed[slot] = !hidesPrivate;
        sharedUnits[slot] = sharedUnits(request);
    }

    private int sharedUnits(int request) {
        long shared = 0;
        for (int i = requests.firstPiece(request); i < requests.endPiece(request); i++) {
            shared += requests.pieceLength(i);
        }
        boolean all =
                shared >= requests.promptTokens(request) && requests.outputSegment(request) != RequestTable.UNSHARED;
        return all ? Integer.MAX_VALUE : Math.toIntExact(shared / unit);
    }

    /** Makes the request's own prefixes findable, because it is about to lose its blocks. */
    void expose(int slot) {
        exposed[slot] = true;
    }

    /** Whether the request's own prefixes can be found. */
    boolean isExposed(int slot) {
        return exposed[slot];
    }

    /** The hash of the first {@code index + 1} units, or {@link #PRIVATE}. */
    long at(int slot, int index) {
        if (index >= sharedUnits[slot]) {
            return exposed[slot] ? own(slot, index) : PRIVATE;
        }
        if (index >= count[slot]) {
            compute(slot, index + 1);
        }
        return hashes[slot][index];
    }

    /** The hash of a prefix that only the slot's request has. */
    long own(int slot, int index) {
        return TokenHash.own(owner[slot], index);
    }

    private void compute(int slot, int upTo) {
        long[] known = hashes[slot];
        if (known == null || known.length < upTo) {
            int capacity = Math.max(upTo + 8, known == null ? 32 : known.length * 2);
            known = known == null ? new long[capacity] : Arrays.copyOf(known, capacity);
            hashes[slot] = known;
        }
        for (int index = count[slot]; index < upTo; index++) {
            known[index] = next(slot, index == 0 ? TokenHash.EMPTY : known[index - 1]);
        }
        count[slot] = upTo;
    }

    /** Adds one unit to a prefix; runs of one segment are hashed as one, wherever the request's own pieces end. */
    private long next(int slot, long prefix) {
        int request = owner[slot];
        int end = requests.endPiece(request);
        long hash = prefix;
        int missing = unit;
        while (missing > 0) {
            int current = piece[slot];
            int at = position[slot];
            if (current == end || outputContinues(request, current, end)) {
                int start = current == end ? requests.outputStart(request) : 0;
                hash = TokenHash.append(hash, requests.outputSegment(request), start + at, missing);
                position[slot] = at + missing;
                return hash;
            }
            int take = Math.min(missing, requests.pieceLength(current) - at);
            hash = TokenHash.append(hash, requests.pieceSegment(current), at, take);
            missing -= take;
            boolean done = at + take == requests.pieceLength(current);
            piece[slot] = done ? current + 1 : current;
            position[slot] = done ? 0 : at + take;
        }
        return hash;
    }

    private boolean outputContinues(int request, int current, int end) {
        return current == end - 1
                && requests.pieceSegment(current) == requests.outputSegment(request)
                && requests.outputStart(request) == requests.pieceLength(current);
    }

    private void grow(int least) {
        int capacity = Math.max(least, hashes.length * 2);
        hashes = Arrays.copyOf(hashes, capacity);
        owner = Arrays.copyOf(owner, capacity);
        count = Arrays.copyOf(count, capacity);
        sharedUnits = Arrays.copyOf(sharedUnits, capacity);
        exposed = Arrays.copyOf(exposed, capacity);
        piece = Arrays.copyOf(piece, capacity);
        position = Arrays.copyOf(position, capacity);
    }
}
