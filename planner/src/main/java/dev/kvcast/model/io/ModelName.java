package dev.kvcast.model.io;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Model names as people write them: owners left out, other case, spaces for hyphens, a quantization at the end. */
final class ModelName {

    /** A quantization (or a packaging word) at the end of a name. */
    private static final Pattern SUFFIX = Pattern.compile("(?i)[-_. ]("
            + "fp8(?:[-_.]?(?:dynamic|static(?:-pertensor)?|block|kv|per-?tensor|e4m3))?"
            + "|(?:unsloth-)?bnb-[48]bit"
            + "|(?:qat-)?(?:quantized\\.)?w[48]a(?:16|8)(?:[-.](?:g\\d+|ct|fp8|int8|asym))*"
            + "|(?:qat-)?awq(?:[-_](?:bf16-)?(?:int)?[48](?:[-_]?bit)?)?(?:-g\\d+|-marlin)?"
            + "|gptq(?:[-_](?:int)?[48](?:[-_]?bit)?)?(?:-g\\d+)?"
            + "|(?:autoround|auto-round)(?:-(?:gptq|awq))?(?:-(?:int)?[48](?:bit)?)?"
            + "|int[48](?:[-_](?:mixed[-_])?(?:autoround|awq|gptq|g\\d+))?"
            + "|nvfp4(?:a16)?|mxfp[48]|[48]bit|exl[23](?:[-_]\\d+(?:\\.\\d+)?bpw)?|\\d+(?:\\.\\d+)?bpw"
            + "|(?:ud-)?i?q[1-8](?:_[0-9a-z]+)*(?:\\.gguf)?|gguf|bf16|fp16|qat|ct|unquantized)$");

    private ModelName() {}

    /** A key under which spellings of one name are equal. */
    static String key(String name) {
        return name.trim().toLowerCase(Locale.ROOT).replace(' ', '-').replace('_', '-');
    }

    /** The name without its owner. */
    static String bare(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /**
     * A name divided at a quantization suffix.
     *
     * @param stem what comes before it
     * @param quantization the suffix, without its separator
     */
    record Suffixed(String stem, String quantization) {}

    /** The last quantization suffix of a name, if it has one. */
    static Optional<Suffixed> suffix(String name) {
        Matcher matcher = SUFFIX.matcher(name);
        return matcher.find() && matcher.start() > 0
                ? Optional.of(new Suffixed(name.substring(0, matcher.start()), matcher.group(1)))
                : Optional.empty();
    }

    /** Edits that turn one name into another (Levenshtein), at most {@code limit} + 1. */
    static int distance(String left, String right, int limit) {
        if (Math.abs(left.length() - right.length()) > limit) {
            return limit + 1;
        }
        int[] previous = new int[right.length() + 1];
        for (int column = 0; column <= right.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= left.length(); row++) {
            int[] current = new int[right.length() + 1];
            current[0] = row;
            for (int column = 1; column <= right.length(); column++) {
                int same = left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1;
                current[column] =
                        Math.min(previous[column - 1] + same, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
