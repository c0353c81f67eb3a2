package dev.kvcast.report;

import dev.kvcast.model.InputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as people write and read them; the same in every locale. */
public final class Units {

    /** Bytes in one GiB. */
    public static final long GIB = 1L << 30;

    private static final long KIBI = 1L << 10;

    private Units() {}

    /** Bytes in GiB with two decimals, rounded as Python and the engines' logs do: {@code 23.56 GiB}. */
    public static String gib(long bytes) {
        return fixed((double) bytes / GIB, 2) + " GiB";
    }

    /** A count with a comma at every third digit: {@code 17,301,504}. */
    public static String count(long value) {
        String digits = Long.toString(value);
        int first = value < 0 ? 1 : 0;
        StringBuilder text = new StringBuilder(digits.length() + 6);
        for (int i = 0; i < digits.length(); i++) {
            if (i > first && (digits.length() - i) % 3 == 0) {
                text.append(',');
            }
            text.append(digits.charAt(i));
        }
        return text.toString();
    }

    /** A token count in thousands of 1,024, rounded down: {@code 47K}; small counts as they are. */
    public static String approximateTokens(long tokens) {
        return tokens < 10 * KIBI ? count(tokens) : count(tokens / KIBI) + "K";
    }

    /** A token count in its short form where that is exact: {@code 16K}, {@code 1M}, otherwise {@link #count}. */
    public static String tokens(long tokens) {
        if (tokens >= KIBI * KIBI && tokens % (KIBI * KIBI) == 0) {
            return tokens / (KIBI * KIBI) + "M";
        }
        return tokens >= KIBI && tokens % KIBI == 0 ? tokens / KIBI + "K" : count(tokens);
    }

    /**
     * A number with that many decimals and no exponent; the exact binary value is rounded, ties to even.
     *
     * @param value finite
     * @param decimals 0 or more
     */
    public static String fixed(double value, int decimals) {
        BigDecimal rounded = new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN);
        return rounded.toPlainString();
    }

    /** The nearest number with that many decimals, for output that carries no false digits. */
    public static double round(double value, int decimals) {
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).doubleValue();
    }

    /** A share between 0 and 1 in percent with one decimal: {@code 12.5%}. */
    public static String percent(double share) {
        return fixed(share * 100, 1) + "%";
    }

    /** A duration in its two largest units: {@code 42 s}, {@code 3 min 20 s}, {@code 2 h 05 min}. */
    public static String duration(long seconds) {
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min " + twoDigits(seconds % 60) + " s";
        }
        return count(seconds / 3600) + " h " + twoDigits(seconds % 3600 / 60) + " min";
    }

    /**
     * Reads a token count: digits, then optionally {@code K} (1,024) or {@code M} (1,048,576) in either case.
     *
     * @throws InputException for anything else, and for counts above 2^63-1
     */
    public static long parseTokens(String text) {
        String digits = text.strip();
        long unit = 1;
        if (!digits.isEmpty()) {
            char last = Character.toUpperCase(digits.charAt(digits.length() - 1));
            unit = last == 'K' ? KIBI : last == 'M' ? KIBI * KIBI : 1;
            digits = unit == 1 ? digits : digits.substring(0, digits.length() - 1);
        }
        return parse(text, digits, unit, "expected tokens such as 16384 or 16K");
    }

    /**
     * Reads a whole number from 0 to 2^63-1; underscores and commas may separate digits.
     *
     * @throws InputException for anything else
     */
    public static long parseNumber(String text) {
        return parse(
                text,
                text.strip().replace("_", "").replace(",", ""),
                1,
                "expected a whole number of 0 or more, below 2^63");
    }

    /**
     * Reads a finite decimal number.
     *
     * @throws InputException for anything else, {@code NaN} and {@code Infinity} included
     */
    public static double parseDecimal(String text) {
        try {
            double value = Double.parseDouble(text);
            // Java would also read the suffixes of its literals, as in 0.9f.
            if (Double.isFinite(value) && !Character.isLetter(text.charAt(text.length() - 1))) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw badDecimal(text).because(e);
        }
        throw badDecimal(text);
    }

    /** The word in lower case, the same in every locale. */
    public static String lowerCase(String word) {
        return word.toLowerCase(Locale.ROOT);
    }

    private static InputException badDecimal(String text) {
        return InputException.badInput("'" + text + "' is not a number; expected one such as 0.9");
    }

    private static long parse(String text, String digits, long unit, String expected) {
        boolean valid = !digits.isEmpty();
        for (int i = 0; i < digits.length() && valid; i++) {
            valid = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
        }
        if (valid) {
            try {
                return Math.multiplyExact(Long.parseLong(digits), unit);
            } catch (ArithmeticException | NumberFormatException tooLarge) {
                throw InputException.badInput("'" + text + "' is too large; " + expected)
                        .because(tooLarge);
            }
        }
        throw InputException.badInput("'" + text + "' is not a number; " + expected);
    }

    private static String twoDigits(long value) {
        return value < 10 ? "0" + value : Long.toString(value);
    }
}
