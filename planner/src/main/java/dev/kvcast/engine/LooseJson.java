package dev.kvcast.engine;

/** Finds the extent of JSON objects inside other text. */
final class LooseJson {

    private LooseJson() {}

    /** Index after the object that starts at {@code start}, or -1 when what starts there is no JSON object. */
    static int objectEnd(String text, int start) {
        int first = start + 1;
        while (first < text.length() && Character.isWhitespace(text.charAt(first))) {
            first++;
        }
        if (first >= text.length() || "\"}".indexOf(text.charAt(first)) < 0) {
            return -1;
        }
        int depth = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                i = stringEnd(text, i);
            } else if (c == '{' || c == '[') {
                depth++;
            } else if ((c == '}' || c == ']') && --depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }

    private static int stringEnd(String text, int start) {
        int i = start + 1;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return i;
    }
}
