package dev.kvcast.engine.vllm;

/** What a word of a command line looks like. */
final class WordKinds {

    private WordKinds() {}

    /** Whether a word can be the value of the flag before it, as argparse sees it. */
    static boolean isValue(String word) {
        return !word.startsWith("-") || word.length() == 1 || isNumber(word) || word.indexOf(' ') > 0;
    }

    /** Whether a word with a leading dash is a negative number. */
    static boolean isNumber(String word) {
        return word.length() > 1
                && word.charAt(0) == '-'
                && (Character.isDigit(word.charAt(1)) || word.charAt(1) == '.');
    }

    /** Whether a name is spelled like an environment variable. */
    static boolean isVariable(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean fits = (c >= 'A' && c <= 'Z') || c == '_' || (i > 0 && Character.isDigit(c));
            if (!fits) {
                return false;
            }
        }
        return !name.isEmpty();
    }
}
