package dev.kvcast.engine.vllm;

/** Makes foreign text fit for a one-line message. */
final class Printable {

    private static final int LONGEST = 60;

    private Printable() {}

    /** The text on one line, at most 60 characters of it. */
    static String shortened(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length() && line.length() < LONGEST; i++) {
            char c = text.charAt(i);
            line.append(Character.isISOControl(c) ? ' ' : c);
        }
        return text.length() > LONGEST ? line + "..." : line.toString();
    }
}
