package dev.kvcast.engine;

import java.util.Locale;
import java.util.Set;

/** Shell assignments, and which of them are nobody's business. */
final class Assignments {

    private static final Set<String> DECLARATIONS = Set.of("export", "env", "declare", "local", "readonly", "-x");

    private static final Set<String> SECRET_PARTS =
            Set.of("TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL");

    private Assignments() {}

    /** Length of the name in {@code NAME=value}, or 0 when {@code word} is no assignment. */
    static int nameLength(String word) {
        int end = nameEnd(word, 0);
        return end > 0 && end < word.length() && word.charAt(end) == '=' && !isDigit(word.charAt(0)) ? end : 0;
    }

    /** Index after the identifier that starts at {@code start}. */
    static int nameEnd(String text, int start) {
        int end = start;
        while (end < text.length() && isNamePart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isNamePart(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || isDigit(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Whether the word introduces assignments. */
    static boolean isDeclaration(String word) {
        return DECLARATIONS.contains(word);
    }

    /** Whether a variable of this name holds a credential, whose value is never kept. */
    static boolean isSecret(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (String part : SECRET_PARTS) {
            if (upper.contains(part)) {
                return true;
            }
        }
        return false;
    }
}
