package dev.kvcast.engine;

import java.util.Map;

/**
 * A {@code $NAME}, {@code ${NAME:-default}} or {@code $(command)} in shell text.
 *
 * @param name variable name, empty for anything that is kept as written
 * @param fallback value for an unset variable: its default, or the text as written
 * @param end index after it
 */
record ShellVariable(String name, String fallback, int end) {

    /** Reads the expansion that starts with the dollar sign at {@code start}. */
    static ShellVariable at(String text, int start) {
        int next = start + 1;
        if (next < text.length() && text.charAt(next) == '(') {
            return asWritten(text, start, closing(text, next, '(', ')'));
        }
        if (next < text.length() && text.charAt(next) == '{') {
            return braced(text, start, closing(text, next, '{', '}'));
        }
        int end = Assignments.nameEnd(text, next);
        return new ShellVariable(text.substring(next, end), text.substring(start, end), end);
    }

    private static ShellVariable braced(String text, int start, int end) {
        int nameEnd = Assignments.nameEnd(text, start + 2);
        if (nameEnd == start + 2 || text.charAt(end - 1) != '}') {
            return asWritten(text, start, end);
        }
        String name = text.substring(start + 2, nameEnd);
        String rest = text.substring(nameEnd, end - 1);
        if (rest.startsWith(":-") || rest.startsWith(":=")) {
            return new ShellVariable(name, unquoted(rest.substring(2)), end);
        }
        if (rest.startsWith("-") || rest.startsWith("=")) {
            return new ShellVariable(name, unquoted(rest.substring(1)), end);
        }
        return new ShellVariable(name, text.substring(start, end), end);
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.charAt(0) == '"' && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static ShellVariable asWritten(String text, int start, int end) {
        return new ShellVariable("", text.substring(start, end), end);
    }

    private static int closing(String text, int start, char open, char close) {
        int depth = 0;
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) == open) {
                depth++;
            } else if (text.charAt(i) == close && --depth == 0) {
                return i + 1;
            }
        }
        return text.length();
    }

    /** What it stands for, given the variables known so far. */
    String value(Map<String, String> variables) {
        return variables.getOrDefault(name, fallback);
    }
}
