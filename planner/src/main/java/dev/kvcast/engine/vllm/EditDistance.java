package dev.kvcast.engine.vllm;

/** Levenshtein distance. */
final class EditDistance {

    private EditDistance() {}

    /** Edits from one word to another, or {@code limit} when there are at least that many. */
    static int between(String from, String to, int limit) {
        if (Math.abs(from.length() - to.length()) >= limit) {
            return limit;
        }
        int[] previous = new int[to.length() + 1];
        int[] current = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return Math.min(limit, previous[to.length()]);
    }
}
