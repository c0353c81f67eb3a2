package dev.kvcast.engine;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits pasted shell text into simple commands. Follows POSIX quoting, and forgives what copying does to a command:
 * line breaks lost after a backslash, the quotes of a JSON value lost, and {@code <placeholder>} names.
 */
final class ShellScript {

    /** Longer text is not a launch line. */
    static final int LONGEST = 1 << 20;

    private final String text;
    private final Map<String, String> variables = new HashMap<>();
    private final StringBuilder word = new StringBuilder();
    private int position;
    private boolean wordStarted;

    private ShellScript(String text) {
        this.text = text;
    }

    /**
     * The simple commands of {@code text} in order, operators and redirections removed, variables that the text itself
     * assigns replaced.
     *
     * @throws InputException for unbalanced quotes or brackets, and for text beyond 1 MiB
     */
    static List<List<String>> commands(String text) {
        if (text.length() > LONGEST) {
            throw InputException.badInput(
                    "the launch line has " + text.length() + " characters; expected at most 1 MiB");
        }
        return new ShellScript(text).run();
    }

    private List<List<String>> run() {
        List<List<String>> commands = new ArrayList<>();
        List<String> words = new ArrayList<>();
        while (position < text.length()) {
            char c = text.charAt(position);
            if (wordStarted ? endsWord(c) : separates(c)) {
                flush(words);
                if (startsOperator(c) && operator(c)) {
                    finish(commands, words);
                }
            } else if (!wordStarted && c == '#') {
                skipLine();
            } else {
                piece(c);
            }
        }
        flush(words);
        finish(commands, words);
        return commands;
    }

    private static boolean separates(char c) {
        return Character.isWhitespace(c) || startsOperator(c);
    }

    private boolean endsWord(char c) {
        return separates(c) && !(c == '<' && placeholderEnd() > 0);
    }

    private static boolean startsOperator(char c) {
        return c == '\n' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')' || c == '<' || c == '>';
    }

    private void flush(List<String> words) {
        if (wordStarted) {
            words.add(word.toString());
            word.setLength(0);
            wordStarted = false;
        } else if (position < text.length()
                && Character.isWhitespace(text.charAt(position))
                && text.charAt(position) != '\n') {
            position++;
        }
    }

    private void finish(List<List<String>> commands, List<String> words) {
        if (words.isEmpty()) {
            return;
        }
        remember(words);
        commands.add(List.copyOf(words));
        words.clear();
    }

    /** Keeps assignments for later {@code $NAME}s. */
    private void remember(List<String> words) {
        for (String candidate : words) {
            int equals = Assignments.nameLength(candidate);
            if (equals > 0) {
                variables.put(candidate.substring(0, equals), candidate.substring(equals + 1));
            } else if (!Assignments.isDeclaration(candidate)) {
                return;
            }
        }
    }

    /** Consumes an operator; true when it ends the command. */
    private boolean operator(char c) {
        if (c == '<' && placeholderEnd() > 0) {
            int end = placeholderEnd();
            word.append(text, position + 1, end);
            wordStarted = true;
            position = end + 1;
            return false;
        }
        position++;
        if (c == '&' && position < text.length() && text.charAt(position) == '>') {
            redirection();
            return false;
        }
        if (c == '<' || c == '>') {
            redirection();
            return false;
        }
        return true;
    }

    /** Skips the rest of a redirection and its target. */
    private void redirection() {
        while (position < text.length() && "<>&|".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        while (position < text.length() && (text.charAt(position) == ' ' || text.charAt(position) == '\t')) {
            position++;
        }
        while (position < text.length() && !separates(text.charAt(position))) {
            piece(text.charAt(position));
        }
        word.setLength(0);
        wordStarted = false;
    }

    /** Index of the {@code >} that closes a {@code <placeholder>} starting here, or -1. */
    private int placeholderEnd() {
        int end = position + 1;
        while (end < text.length() && "<>\n;|&'\"".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        boolean closed = end < text.length() && text.charAt(end) == '>' && end > position + 1;
        return closed
                        && !Character.isWhitespace(text.charAt(position + 1))
                        && !Character.isWhitespace(text.charAt(end - 1))
                ? end
                : -1;
    }

    private void skipLine() {
        while (position < text.length() && text.charAt(position) != '\n') {
            position++;
        }
    }

    private void piece(char c) {
        switch (c) {
            case '\'' -> singleQuoted();
            case '"' -> doubleQuoted();
            case '\\' -> escaped();
            case '$' -> dollar();
            case '^', '`' -> continuationOr(c);
            case '{' -> brace();
            case '2', '1' -> descriptor(c);
            default -> plain(c);
        }
    }

    private void plain(char c) {
        word.append(c);
        wordStarted = true;
        position++;
    }

    /** A digit right before {@code >} is a file descriptor, not a word. */
    private void descriptor(char c) {
        if (!wordStarted && position + 1 < text.length() && text.charAt(position + 1) == '>') {
            position++;
        } else {
            plain(c);
        }
    }

    /** Line continuations of cmd.exe and PowerShell. */
    private void continuationOr(char c) {
        int next = position + 1;
        if (next < text.length() && (text.charAt(next) == '\n' || text.charAt(next) == '\r')) {
            skipBreak(next);
        } else {
            plain(c);
        }
    }

    private void skipBreak(int at) {
        int next = at;
        if (next < text.length() && text.charAt(next) == '\r') {
            next++;
        }
        if (next < text.length() && text.charAt(next) == '\n') {
            next++;
        }
        position = next;
    }

    private void escaped() {
        int next = position + 1;
        if (next >= text.length()) {
            position = next;
            return;
        }
        char c = text.charAt(next);
        if (c == '\n' || c == '\r') {
            skipBreak(next);
        } else if (!wordStarted && c == ' ') {
            position = next;
        } else {
            word.append(c);
            wordStarted = true;
            position = next + 1;
        }
    }

    private void singleQuoted() {
        int end = text.indexOf('\'', position + 1);
        if (end < 0) {
            throw unbalanced("single quote");
        }
        word.append(text, position + 1, end);
        wordStarted = true;
        position = end + 1;
    }

    private void doubleQuoted() {
        int start = position++;
        wordStarted = true;
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '"') {
                position++;
                return;
            }
            if (c == '\\' && position + 1 < text.length()) {
                escapedInQuotes(text.charAt(position + 1));
            } else if (c == '$') {
                dollar();
            } else {
                plain(c);
            }
        }
        position = start;
        throw unbalanced("double quote");
    }

    private void escapedInQuotes(char next) {
        if (next == '\n') {
            position += 2;
        } else if ("\"\\$`".indexOf(next) >= 0) {
            word.append(next);
            position += 2;
        } else {
            word.append('\\').append(next);
            position += 2;
        }
    }

    private void dollar() {
        ShellVariable variable = ShellVariable.at(text, position);
        word.append(variable.value(variables));
        wordStarted = true;
        position = variable.end();
    }

    /** An unquoted JSON object, as process lists and logs show it, stays one word. */
    private void brace() {
        int end = LooseJson.objectEnd(text, position);
        if (end < 0) {
            plain('{');
            return;
        }
        word.append(text, position, end);
        wordStarted = true;
        position = end;
    }

    private InputException unbalanced(String what) {
        int end = Math.min(text.length(), position + 24);
        String near = text.substring(position, end).replace('\n', ' ').replace('\r', ' ');
        return InputException.badInput("the launch line has an unbalanced " + what + " at character " + (position + 1)
                + " (" + near + (end < text.length() ? "..." : "") + "); close it or put a backslash before it");
    }
}
