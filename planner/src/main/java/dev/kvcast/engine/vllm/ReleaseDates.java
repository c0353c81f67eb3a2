package dev.kvcast.engine.vllm;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * When releases came out, to the nearest few days: read from the dates of boot logs that print their version. A build of
 * some day runs the code of the next release.
 */
final class ReleaseDates {

    private static final TreeMap<LocalDate, VllmVersion> RELEASES = new TreeMap<>(Map.ofEntries(
            release("2025-01-27", "0.7.0"),
            release("2025-03-18", "0.8.0"),
            release("2025-05-15", "0.9.0"),
            release("2025-07-24", "0.10.0"),
            release("2025-09-13", "0.10.2"),
            release("2025-10-02", "0.11.0"),
            release("2025-12-03", "0.12.0"),
            release("2025-12-18", "0.13.0"),
            release("2026-01-20", "0.14.0"),
            release("2026-01-29", "0.15.0"),
            release("2026-02-25", "0.16.0"),
            release("2026-03-08", "0.17.0"),
            release("2026-03-22", "0.18.0"),
            release("2026-04-05", "0.19.0"),
            release("2026-04-28", "0.20.0"),
            release("2026-05-18", "0.21.0"),
            release("2026-05-29", "0.22.0"),
            release("2026-06-19", "0.23.0"),
            release("2026-06-29", "0.24.0"),
            release("2026-07-11", "0.25.0"),
            release("2026-07-22", "0.26.0"),
            release("2026-08-11", "0.27.0"),
            release("2026-08-27", "0.28.0"),
            release("2026-09-04", "0.29.0"),
            release("2026-09-22", "0.30.0"),
            release("2026-10-04", "0.31.0"),
            release("2026-10-20", "0.32.0")));

    private static final int MIDDLE = 15;

    private ReleaseDates() {}

    private static Map.Entry<LocalDate, VllmVersion> release(String date, String version) {
        return Map.entry(LocalDate.parse(date), VllmVersion.of(version));
    }

    /**
     * The release whose code a build of the first date in {@code text} runs; a bare month means its
     * middle, and there the last release before it unless a nightly build is meant.
     */
    static Optional<VllmVersion> in(String text) {
        for (int at = text.indexOf("20"); at >= 0; at = text.indexOf("20", at + 2)) {
            int year = number(text, at, 4);
            int month = at + 4 < text.length() && text.charAt(at + 4) == '-' ? number(text, at + 5, 2) : -1;
            if (year >= 2023 && month > 0) {
                boolean dayGiven = at + 7 < text.length() && text.charAt(at + 7) == '-';
                boolean nightly = text.contains("nightly") || text.contains("main");
                return on(year, month, dayGiven ? number(text, at + 8, 2) : MIDDLE, dayGiven || nightly);
            }
        }
        return Optional.empty();
    }

    private static Optional<VllmVersion> on(int year, int month, int day, boolean ahead) {
        try {
            LocalDate date = LocalDate.of(year, month, day);
            Map.Entry<LocalDate, VllmVersion> next = ahead ? RELEASES.ceilingEntry(date) : RELEASES.floorEntry(date);
            return Optional.of(next == null ? VllmVersion.NEWEST : next.getValue());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int number(String text, int start, int digits) {
        if (start + digits > text.length()) {
            return -1;
        }
        int value = 0;
        for (int i = start; i < start + digits; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + c - '0';
        }
        return value;
    }
}
