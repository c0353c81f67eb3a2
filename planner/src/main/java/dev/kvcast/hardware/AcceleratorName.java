package dev.kvcast.hardware;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A card's name as a set of words, so that "NVIDIA GeForce RTX 3090", "rtx3090" and "3090 24GB" compare equal.
 *
 * @param words what identifies the card, vendor words dropped
 * @param gigabytes memory sizes named with it ("80GB"), empty when none is
 */
record AcceleratorName(Set<String> words, List<Double> gigabytes) {

    private static final Set<String> NOISE = Set.of(
            "nvidia",
            "geforce",
            "tesla",
            "amd",
            "radeon",
            "instinct",
            "intel",
            "apple",
            "gpu",
            "gpus",
            "card",
            "graphics",
            "tm",
            "generation",
            "edition",
            "the",
            "a",
            "class",
            "core",
            "tensor",
            "hbm2",
            "hbm2e",
            "hbm3",
            "hbm3e",
            "gddr6",
            "gddr6x",
            "gddr7");

    /** Takes a written name apart. */
    static AcceleratorName parse(String written) {
        Set<String> words = new LinkedHashSet<>();
        List<Double> gigabytes = new ArrayList<>();
        List<String> parts = split(written);
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            boolean unitFollows = i + 1 < parts.size() && isUnit(parts.get(i + 1));
            double size = number(part);
            if (size > 0 && unitFollows) {
                gigabytes.add(size);
                i++;
            } else if (!NOISE.contains(part)) {
                words.add(part);
            }
        }
        return new AcceleratorName(words, gigabytes);
    }

    private static boolean isUnit(String part) {
        return part.equals("gb") || part.equals("g") || part.equals("gib");
    }

    private static double number(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (!Character.isDigit(c) && c != '.') {
                return -1;
            }
        }
        return part.isEmpty() || part.equals(".") ? -1 : Double.parseDouble(part);
    }

    /** Splits at anything but letters and digits, and where "rtx" or "gb" touches a number. */
    private static List<String> split(String written) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        String text = written.toLowerCase(Locale.ROOT);
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            boolean decimal = c == '.'
                    && !part.isEmpty()
                    && Character.isDigit(part.charAt(part.length() - 1))
                    && i + 1 < text.length()
                    && Character.isDigit(text.charAt(i + 1));
            if (Character.isLetterOrDigit(c) || decimal) {
                part.append(c);
            } else if (!part.isEmpty()) {
                addPart(part.toString(), parts);
                part.setLength(0);
            }
        }
        return parts;
    }

    private static void addPart(String part, List<String> parts) {
        for (String prefix : List.of("rtx", "gtx", "rx")) {
            if (part.length() > prefix.length()
                    && part.startsWith(prefix)
                    && Character.isDigit(part.charAt(prefix.length()))) {
                parts.add(prefix);
                addPart(part.substring(prefix.length()), parts);
                return;
            }
        }
        for (String suffix : List.of("gib", "gb", "ti")) {
            int end = part.length() - suffix.length();
            if (end > 0 && part.endsWith(suffix) && number(part.substring(0, end)) > 0) {
                parts.add(part.substring(0, end));
                parts.add(suffix);
                return;
            }
        }
        parts.add(part.startsWith("sxm") ? "sxm" : part);
    }

    /** Whether every word of this name occurs in the other. */
    boolean within(AcceleratorName other) {
        return other.words.containsAll(words);
    }
}
