package dev.kvcast.hardware.io;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Asks {@code nvidia-smi} which cards this machine has. */
public final class NvidiaSmi {

    private static final List<String> QUERY =
            List.of("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits");

    private static final int PATIENCE_SECONDS = 5;

    private NvidiaSmi() {}

    /**
     * One card of this machine.
     *
     * @param name as the driver writes it
     * @param memoryMib memory the driver lists, which is slightly more than CUDA reports
     */
    public record Card(String name, long memoryMib) {}

    /** The cards in driver order; empty where there is no driver, no card, or no answer in time. */
    public static List<Card> cards() {
        Process process;
        try {
            process = new ProcessBuilder(QUERY)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return List.of();
        }
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return List.of();
            }
            return process.exitValue() == 0 ? parse(lines.lines().toList()) : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    static List<Card> parse(List<String> lines) {
        List<Card> cards = new ArrayList<>();
        for (String line : lines) {
            int comma = line.lastIndexOf(',');
            if (comma > 0) {
                String size = line.substring(comma + 1).strip().toLowerCase(Locale.ROOT);
                boolean digits = !size.isEmpty() && size.chars().allMatch(Character::isDigit);
                cards.add(new Card(line.substring(0, comma).strip(), digits ? Long.parseLong(size) : 0));
            }
        }
        return cards;
    }
}
