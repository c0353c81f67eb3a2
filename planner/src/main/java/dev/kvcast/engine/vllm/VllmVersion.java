package dev.kvcast.engine.vllm;

import java.util.Comparator;

/**
 * A vLLM release.
 *
 * @param major always 0 so far
 * @param minor release number, 32 for 0.32.0
 * @param patch patch number
 */
public record VllmVersion(int major, int minor, int patch) implements Comparable<VllmVersion> {

    /** Newest release whose rules were read in its source. */
    public static final VllmVersion NEWEST = new VllmVersion(0, 32, 0);

    /** Oldest release of the engine core that the rules describe. */
    public static final VllmVersion OLDEST = new VllmVersion(0, 9, 0);

    private static final Comparator<VllmVersion> ORDER = Comparator.comparingInt(VllmVersion::major)
            .thenComparingInt(VllmVersion::minor)
            .thenComparingInt(VllmVersion::patch);

    /** A release written {@code 0.21} or {@code 0.20.2}, for constants in code and tables. */
    public static VllmVersion of(String text) {
        String[] parts = text.split("\\.", -1);
        return new VllmVersion(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                parts.length > 2 ? Integer.parseInt(parts[2]) : 0);
    }

    /** Whether this is that release or a later one. */
    public boolean atLeast(int otherMinor, int otherPatch) {
        return compareTo(new VllmVersion(0, otherMinor, otherPatch)) >= 0;
    }

    @Override
    public int compareTo(VllmVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
