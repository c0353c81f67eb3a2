package dev.kvcast.engine.vllm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the version of a boot as people and logs write it: {@code 0.32.0}, {@code v0.19.2rc1.dev8},
 * {@code 0.22.0..0.24.0}, {@code nightly (2026-05)}, {@code 0.30 class}.
 */
public final class VllmVersionReader {

    /** Development builds this far past a tag already carry the next release's rules. */
    private static final int COMMITS_TO_NEXT = 40;

    /** Builds counted from a release candidate ({@code 0.11.0rc2.dev98}) are that release for longer. */
    private static final int COMMITS_PAST_CANDIDATE = 300;

    /** And this far past, those of the one after: about 550 commits lie between two releases of 2026. */
    private static final int COMMITS_TO_SECOND = 550;

    /** A release candidate built at night carries what the next release does. */
    private static final Pattern NIGHTLY = Pattern.compile("rc\\d+ nightly");

    /** Stands for "0.2x": the middle of 0.20 to 0.29. */
    private static final VllmVersion SOME_2026 = new VllmVersion(0, 24, 0);

    private VllmVersionReader() {}

    /**
     * A version and how sure it is.
     *
     * @param version release whose rules apply
     * @param warnings what was assumed
     */
    public record Reading(VllmVersion version, List<String> warnings) {
        /** Copies the list. */
        public Reading {
            warnings = List.copyOf(warnings);
        }
    }

    /** Reads a version; what says nothing means the newest release modelled, with a warning unless it is empty. */
    public static Reading read(Optional<String> text) {
        if (text.isEmpty() || text.get().isBlank()) {
            return new Reading(VllmVersion.NEWEST, List.of());
        }
        String value = text.get().strip();
        List<VersionText> found = VersionText.all(value);
        if (!found.isEmpty()) {
            return ranged(value, found);
        }
        Optional<VllmVersion> dated = ReleaseDates.in(value);
        if (dated.isPresent()) {
            return checked(
                    dated.get(),
                    List.of("vLLM version '" + Printable.shortened(value) + "' names a date; rules of " + dated.get()
                            + " assumed"));
        }
        if (value.startsWith("0.2x")) {
            return checked(
                    SOME_2026,
                    List.of("vLLM version '" + Printable.shortened(value) + "' names no release; rules of " + SOME_2026
                            + " assumed"));
        }
        boolean old = value.startsWith("V0") || value.contains(" V0");
        VllmVersion assumed = old ? new VllmVersion(0, 8, 5) : VllmVersion.NEWEST;
        return checked(
                assumed,
                List.of("vLLM version '" + Printable.shortened(value) + "' is unknown; rules of " + assumed
                        + " assumed"));
    }

    private static Reading ranged(String value, List<VersionText> found) {
        VersionText first = found.get(0);
        VllmVersion version = first.release();
        List<String> warnings = new ArrayList<>();
        int ownCommits = version.patch() == 0 ? COMMITS_PAST_CANDIDATE : COMMITS_TO_NEXT;
        if (first.development() >= ownCommits) {
            int ahead = first.development() >= COMMITS_TO_SECOND ? 2 : 1;
            version = new VllmVersion(version.major(), version.minor() + ahead, 0);
            warnings.add(
                    "vLLM " + Printable.shortened(value) + " is a development build; rules of " + version + " assumed");
        }
        boolean candidate = first.development() == 0 && NIGHTLY.matcher(value).find();
        if (candidate && version.patch() > 0 && !value.contains(".x")) {
            version = new VllmVersion(version.major(), version.minor() + 1, 0);
            warnings.add(
                    "vLLM " + Printable.shortened(value) + " is a nightly build; rules of " + version + " assumed");
        }
        if (found.size() > 1 && !found.get(1).release().equals(first.release())) {
            warnings.add("vLLM version '" + Printable.shortened(value) + "' is a range; " + version + " assumed");
        }
        return checked(version, warnings);
    }

    private static Reading checked(VllmVersion version, List<String> assumed) {
        List<String> warnings = new ArrayList<>(assumed);
        if (version.compareTo(VllmVersion.OLDEST) < 0) {
            warnings.add("vLLM " + version + " is older than " + VllmVersion.OLDEST
                    + ", the first release modelled; its V0 engine profiled memory in other ways");
        } else if (version.compareTo(new VllmVersion(0, VllmVersion.NEWEST.minor() + 1, 0)) > 0) {
            warnings.add("vLLM " + version + " is newer than the rules, which are those of " + VllmVersion.NEWEST);
        }
        return new Reading(version, warnings);
    }
}
