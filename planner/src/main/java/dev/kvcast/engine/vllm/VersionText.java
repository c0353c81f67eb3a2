package dev.kvcast.engine.vllm;

import java.util.ArrayList;
import java.util.List;

/**
 * One release number found in free text.
 *
 * @param release the release
 * @param development commits past its tag, 0 for the release itself
 */
record VersionText(VllmVersion release, int development) {

    /** Every {@code 0.N[.P][rcX][.devY]} in the text; {@code 0.1.devN} placeholders of source builds say nothing. */
    static List<VersionText> all(String text) {
        List<VersionText> found = new ArrayList<>();
        int at = text.indexOf("0.");
        while (at >= 0) {
            int next = at + 2;
            boolean startsNumber = at == 0 || (!Character.isDigit(text.charAt(at - 1)) && !insideNumber(text, at));
            int minorEnd = digitsEnd(text, next);
            boolean letterFollows = minorEnd < text.length() && text.charAt(minorEnd) == 'x';
            if (startsNumber && minorEnd > next && minorEnd - next <= 3 && !letterFollows) {
                VersionText version = at(text, next, minorEnd);
                if (version.release().minor() > 1) {
                    found.add(version);
                }
                next = minorEnd;
            }
            at = text.indexOf("0.", next);
        }
        return found;
    }

    /** {@code 1.0.3} holds no 0.3; a dot-dot range is no number. */
    private static boolean insideNumber(String text, int at) {
        return at > 1 && text.charAt(at - 1) == '.' && Character.isDigit(text.charAt(at - 2));
    }

    private static VersionText at(String text, int minorStart, int minorEnd) {
        int minor = Integer.parseInt(text.substring(minorStart, minorEnd));
        int patch = 0;
        int end = minorEnd;
        if (end + 1 < text.length() && text.charAt(end) == '.' && Character.isDigit(text.charAt(end + 1))) {
            end = digitsEnd(text, minorEnd + 1);
            patch = number(text, minorEnd + 1, end);
        }
        if (patch == 0 && text.startsWith(".x", end)) {
            patch = 1;
        }
        int dev = text.indexOf(".dev", end);
        boolean own = dev >= 0 && dev - end <= 5 && text.substring(end, dev).indexOf(' ') < 0;
        int commits = own ? number(text, dev + 4, digitsEnd(text, dev + 4)) : 0;
        return new VersionText(new VllmVersion(0, minor, patch), commits);
    }

    private static int number(String text, int start, int end) {
        return end > start && end - start < 8 ? Integer.parseInt(text.substring(start, end)) : 0;
    }

    private static int digitsEnd(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}
