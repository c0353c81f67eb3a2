package dev.kvcast.hardware;

import dev.kvcast.hardware.Accelerator.Compute;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A card that is described by its size and at most its maker and generation, as in "24GB NVIDIA" or "16 GiB slice of a
 * Hopper card". Whether something fits can be said of it; how fast it is cannot.
 */
final class UnnamedCard {

    /** Words that say nothing about which card it is. */
    private static final Set<String> VAGUE = Set.of(
            "nvidia",
            "amd",
            "gpu",
            "card",
            "class",
            "inferred",
            "not",
            "named",
            "unnamed",
            "slice",
            "of",
            "laptop",
            "wsl2",
            "rocm",
            "cuda",
            "hopper",
            "ampere",
            "turing",
            "ada",
            "blackwell",
            "volta",
            "device",
            "x2",
            "x4",
            "x8");

    private static final long GIB = 1L << 30;

    /** Share of the marketed size that a driver reports of a card without a relative in the catalogue. */
    private static final double USUAL_SHARE = 0.98;

    private UnnamedCard() {}

    /** The card, if the text names no more than a size, a maker and a generation. */
    static Optional<Accelerator> of(String written, List<Accelerator> known) {
        int note = written.indexOf('(');
        String text = note > 0 ? written.substring(0, note) : written;
        AcceleratorName name = AcceleratorName.parse(text);
        if (name.gigabytes().size() != 1 || !vague(name)) {
            return Optional.empty();
        }
        return Optional.of(described(written, name, known));
    }

    /** The card, if the text says nothing at all and its memory is known from elsewhere. */
    static Optional<Accelerator> ofSize(String written, long bytes) {
        AcceleratorName name = AcceleratorName.parse(written);
        return name.gigabytes().isEmpty() && vague(name)
                ? Optional.of(card(written, name, "NVIDIA", bytes, (double) bytes / GIB))
                : Optional.empty();
    }

    /** The lower end of a range of sizes says no more than its upper end. */
    private static boolean vague(AcceleratorName name) {
        return name.words().stream()
                .allMatch(word -> VAGUE.contains(word) || word.chars().allMatch(Character::isDigit));
    }

    private static Accelerator described(String written, AcceleratorName name, List<Accelerator> known) {
        String text = written.toLowerCase(Locale.ROOT);
        double gigabytes = name.gigabytes().get(0);
        String vendor = name.words().contains("rocm") || text.contains("amd") ? "AMD" : "NVIDIA";
        List<Accelerator> relatives = known.stream()
                .filter(card -> card.vendor().equals(vendor) && !card.unifiedMemory())
                .filter(card -> Math.abs(card.marketedGigabytes() - gigabytes) < 0.5)
                .sorted(Comparator.comparingLong(Accelerator::memoryBytes))
                .toList();
        long bytes = relatives.isEmpty()
                ? (long) (gigabytes * GIB * USUAL_SHARE)
                : relatives.get(relatives.size() / 2).memoryBytes();
        return card(written, name, vendor, bytes, gigabytes);
    }

    private static Accelerator card(String written, AcceleratorName name, String vendor, long bytes, double gigabytes) {
        OptionalDouble none = OptionalDouble.empty();
        return new Accelerator(
                written,
                List.of(),
                vendor,
                "",
                capability(name.words(), vendor),
                gigabytes,
                bytes,
                false,
                0,
                new Compute(none, none, none, none, none),
                0,
                "",
                0,
                false,
                1);
    }

    private static int capability(Set<String> words, String vendor) {
        if (vendor.equals("AMD")) {
            return 0;
        }
        return words.contains("hopper") ? 90 : words.contains("turing") ? 75 : words.contains("volta") ? 70 : 80;
    }
}
