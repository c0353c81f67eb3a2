package dev.kvcast.cli;

import java.util.Collection;

/** Finds the name that a mistyped word was probably meant to be. */
public final class Nearest {

    private Nearest() {}

    /**
     * The candidate with the fewest edits (insert, delete, replace), if they are at most a third of the word's length
     * and at least one edit is always allowed.
     *
     * @return the candidate, or an empty string where none is near
     */
    public static String to(String word, Collection<String> candidates) {
        String nearest = "";
        int fewest = Math.max(1, word.length() / 3) + 1;
        for (String candidate : candidates) {
            int edits = edits(word, candidate);
            if (edits < fewest) {
                fewest = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }

    private static int edits(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(previous[j], row[j - 1]));
            }
            previous = row;
        }
        return previous[b.length()];
    }
}
