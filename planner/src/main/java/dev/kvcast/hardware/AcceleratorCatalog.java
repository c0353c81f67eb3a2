package dev.kvcast.hardware;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The known cards, found by names as people write them.
 *
 * @param accelerators cards in catalogue order
 */
public record AcceleratorCatalog(List<Accelerator> accelerators) {

    /** Copies the list. */
    public AcceleratorCatalog {
        accelerators = List.copyOf(accelerators);
    }

    /**
     * Cards of one kind, as in {@code "RTX 3090x2"}.
     *
     * @param accelerator the card; of a mixed group the smallest one
     * @param count how many
     * @param mixed every card of a mixed group ({@code "RTX 5070 Ti + RTX 3090"}) in order, otherwise empty
     * @param warnings what was assumed, one line each
     */
    public record Selection(Accelerator accelerator, int count, List<Accelerator> mixed, List<String> warnings) {
        /** Copies the lists. */
        public Selection {
            mixed = List.copyOf(mixed);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The card and number a user names: {@code RTX 3090}, {@code 3090 24GB}, {@code "RTX 3090x2"}, {@code 2x H100}.
     *
     * @throws InputException for an unknown or ambiguous name, with candidates
     */
    public Selection select(String written) {
        String text = written.strip();
        if (text.contains(" + ")) {
            return mixed(text);
        }
        int count = 1;
        int leading = leadingCount(text);
        if (leading > 0) {
            count = leading;
            text = text.substring(text.toLowerCase(Locale.ROOT).indexOf('x') + 1)
                    .strip();
        } else {
            int at = trailingCountAt(text);
            if (at > 0) {
                count = parseCount(text.substring(at + 1).strip(), written);
                text = text.substring(0, at).strip();
            }
        }
        return found(text, count);
    }

    /** A card of which only the memory is known; empty where the name says more than that. */
    public Optional<Selection> unnamed(String written, long memoryBytes) {
        return UnnamedCard.ofSize(written, memoryBytes)
                .map(card -> new Selection(card, 1, List.of(), List.of("the card is not named; its speed is unknown")));
    }

    private Selection found(String text, int count) {
        try {
            return new Selection(find(text), count, List.of(), List.of());
        } catch (InputException unknown) {
            Accelerator card = UnnamedCard.of(text, accelerators).orElseThrow(() -> unknown);
            String warning = "'" + text + "' names no card; " + String.format(Locale.ROOT, "%.2f", gib(card))
                    + " GiB assumed as cards of that size report, speed unknown; name the card or give --gpu-memory-bytes";
            return new Selection(card, count, List.of(), List.of(warning));
        }
    }

    /** Several kinds of card in one group: a plan must fit the smallest. */
    private Selection mixed(String text) {
        List<Accelerator> cards = new ArrayList<>();
        for (String part : text.split(" \\+ ", -1)) {
            Selection one = select(part);
            for (int i = 0; i < one.count(); i++) {
                cards.add(one.accelerator());
            }
        }
        Accelerator smallest = cards.stream()
                .min(Comparator.comparingLong(Accelerator::memoryBytes))
                .orElseThrow();
        String warning = "mixed cards: every rank is planned on the smallest, " + smallest.name()
                + ", unless pipeline stages each have their own card";
        return new Selection(smallest, cards.size(), cards, List.of(warning));
    }

    private static double gib(Accelerator card) {
        return card.memoryBytes() / (double) (1L << 30);
    }

    /**
     * The card of that name.
     *
     * @throws InputException for an unknown or ambiguous name, with candidates
     */
    public Accelerator find(String written) {
        for (Accelerator accelerator : accelerators) {
            if (named(accelerator, written)) {
                return accelerator;
            }
        }
        List<Accelerator> candidates = closest(AcceleratorName.parse(written));
        int note = written.indexOf('(');
        if (candidates.isEmpty() && note > 0) {
            candidates = closest(AcceleratorName.parse(written.substring(0, note)));
        }
        if (candidates.isEmpty()) {
            throw InputException.unknownGpu(
                    "GPU '" + written + "' is not in the catalogue; see 'kvcast gpus', or name a"
                            + " similar card and give --gpu-memory-bytes");
        }
        if (candidates.size() > 1) {
            throw InputException.unknownGpu("GPU '" + written + "' could be "
                    + String.join(
                            " or ", candidates.stream().map(Accelerator::name).toList()) + "; name one of them");
        }
        return candidates.get(0);
    }

    private static boolean named(Accelerator accelerator, String written) {
        if (accelerator.name().equalsIgnoreCase(written)) {
            return true;
        }
        for (String alias : accelerator.aliases()) {
            if (alias.equalsIgnoreCase(written)) {
                return true;
            }
        }
        return false;
    }

    /** Cards whose spelling has the fewest words more than the wanted one, or that the wanted text mentions. */
    private List<Accelerator> closest(AcceleratorName wanted) {
        List<Accelerator> best = new ArrayList<>();
        int bestScore = Integer.MAX_VALUE;
        for (Accelerator accelerator : accelerators) {
            int score = distance(accelerator, wanted);
            if (score < bestScore) {
                best.clear();
                bestScore = score;
            }
            if (score == bestScore && score < Integer.MAX_VALUE) {
                best.add(accelerator);
            }
        }
        return best;
    }

    /** Words that differ, over the card's spellings; spellings that lack a wanted word count far behind. */
    private static int distance(Accelerator accelerator, AcceleratorName wanted) {
        int least = Integer.MAX_VALUE;
        List<String> spellings = new ArrayList<>(accelerator.aliases());
        spellings.add(accelerator.name());
        for (String spelling : spellings) {
            AcceleratorName name = AcceleratorName.parse(spelling);
            if (wanted.words().isEmpty() || name.words().isEmpty() || !memoryAgrees(accelerator, wanted)) {
                continue;
            }
            if (wanted.within(name)) {
                least = Math.min(least, name.words().size() - wanted.words().size());
            } else if (name.within(wanted) && distinctive(name)) {
                least = Math.min(
                        least, 1000 - 10 * name.words().size() + wanted.words().size());
            }
        }
        return least;
    }

    /** A spelling inside a longer text counts only when it names a model number, not just a family. */
    private static boolean distinctive(AcceleratorName name) {
        for (String word : name.words()) {
            if (word.length() > 1 && word.chars().anyMatch(Character::isDigit)) {
                return true;
            }
        }
        return false;
    }

    private static boolean memoryAgrees(Accelerator accelerator, AcceleratorName wanted) {
        if (wanted.gigabytes().isEmpty()) {
            return true;
        }
        for (double gigabytes : wanted.gigabytes()) {
            if (Math.abs(gigabytes - accelerator.marketedGigabytes()) < 0.04 * accelerator.marketedGigabytes() + 0.5) {
                return true;
            }
        }
        return false;
    }

    /** The number before a leading {@code x}, as in "2x H100"; 0 without one. */
    private static int leadingCount(String text) {
        int i = 0;
        while (i < text.length() && Character.isDigit(text.charAt(i))) {
            i++;
        }
        boolean counted = i > 0
                && i <= 3
                && i + 1 < text.length()
                && Character.toLowerCase(text.charAt(i)) == 'x'
                && !Character.isDigit(text.charAt(i + 1));
        return counted ? Integer.parseInt(text.substring(0, i)) : 0;
    }

    /** Position of the {@code x} of a trailing "xN"; -1 without one. */
    private static int trailingCountAt(String text) {
        int i = text.length();
        while (i > 0 && Character.isDigit(text.charAt(i - 1))) {
            i--;
        }
        boolean counted = i < text.length()
                && i > 1
                && text.length() - i <= 4
                && Character.toLowerCase(text.charAt(i - 1)) == 'x'
                && !endsWithPrefix(text.substring(0, i));
        return counted ? i - 1 : -1;
    }

    /** "RX7900", "GTX1080" and "RTX3090" end their letters in x too. */
    private static boolean endsWithPrefix(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.endsWith("rtx") || lower.endsWith("gtx") || lower.endsWith("rx");
    }

    private static int parseCount(String digits, String written) {
        int count = digits.length() > 4 ? 0 : Integer.parseInt(digits);
        if (count < 1) {
            throw InputException.badInput("GPU count in '" + written + "' must be 1 or more");
        }
        return count;
    }
}
