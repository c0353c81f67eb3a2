package dev.kvcast.simulate;

/** 64-bit mixing for prefix hashes. Collisions are as unlikely as with a random function; nothing here is secret. */
public final class TokenHash {

    /** The hash of no tokens. */
    public static final long EMPTY = 0x2545F4914F6CDD1DL;

    private TokenHash() {}

    /** Stafford's variant 13 of the murmur finalizer, as in {@link java.util.SplittableRandom}. */
    public static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Appends the tokens {@code position .. position + length - 1} of a segment to a prefix. */
    public static long append(long prefix, long segment, int position, int length) {
        long piece = mix(segment * 0x9E3779B97F4A7C15L + position);
        return mix(prefix * 31 + piece + length * 0xD6E8FEB86659FD93L);
    }

    /** The hash of the first {@code unit + 1} units of a prefix that only one request has. */
    public static long own(int request, int unit) {
        return mix(mix(request + 0x632BE59BD9B4E019L) + unit * 0x9E3779B97F4A7C15L);
    }

    /** The key of a prefix in one KV-cache group; never 0. */
    public static long key(long prefix, int group) {
        long key = mix(prefix + group * 0x9E3779B97F4A7C15L);
        return key == 0 ? 1 : key;
    }
}
