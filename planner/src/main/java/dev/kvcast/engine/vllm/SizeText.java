package dev.kvcast.engine.vllm;

import java.math.BigDecimal;
import java.util.OptionalLong;

/** Integers as vLLM's command line writes them ({@code utils/argparse_utils.py}, {@code human_readable_int}). */
final class SizeText {

    private static final String DECIMAL = "kmgt";
    private static final String BINARY = "KMGT";

    private SizeText() {}

    /**
     * {@code 32k} is 32,000, {@code 32K} is 32,768, {@code 25.6k} is 25,600; {@code 25.6K} is refused, as in vLLM.
     *
     * @return empty for anything else and for what does not fit a long
     */
    static OptionalLong parse(String text) {
        String value = text.strip();
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        char suffix = value.charAt(value.length() - 1);
        String number = value.substring(0, value.length() - 1);
        int decimal = DECIMAL.indexOf(suffix);
        int binary = BINARY.indexOf(suffix);
        if (decimal >= 0) {
            return scaled(number, 3 * (decimal + 1));
        }
        if (binary >= 0) {
            OptionalLong count =
                    number.startsWith("-") || number.startsWith("+") ? OptionalLong.empty() : integer(number);
            return count.isPresent() ? shifted(count.getAsLong(), 10 * (binary + 1)) : count;
        }
        return integer(value);
    }

    /** A plain integer; digits may be grouped with underscores, as in Python. */
    static OptionalLong integer(String text) {
        String value = text.strip();
        boolean signed = value.startsWith("-") || value.startsWith("+");
        String digits = (signed ? value.substring(1) : value).replace("_", "");
        if (digits.isEmpty() || digits.length() > 18 || !isDigits(digits)) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(digits);
        return OptionalLong.of(value.startsWith("-") ? -number : number);
    }

    private static boolean isDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static OptionalLong shifted(long count, int bits) {
        return count <= Long.MAX_VALUE >> bits ? OptionalLong.of(count << bits) : OptionalLong.empty();
    }

    private static OptionalLong scaled(String number, int zeros) {
        if (number.length() > 20 || !isDigits(number.replaceFirst("\\.", "")) || !Character.isDigit(first(number))) {
            return OptionalLong.empty();
        }
        BigDecimal value = new BigDecimal(number).movePointRight(zeros);
        return value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                ? OptionalLong.of(value.longValue())
                : OptionalLong.empty();
    }

    private static char first(String text) {
        return text.isEmpty() ? ' ' : text.charAt(0);
    }
}
