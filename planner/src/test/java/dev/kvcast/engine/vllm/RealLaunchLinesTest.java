package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.kvcast.engine.LaunchCommand;
import dev.kvcast.engine.LaunchLine;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Launch lines that people published with their benchmark results and boot logs. */
class RealLaunchLinesTest {

    private static List<String> lines(String resource) {
        try (InputStream in = Objects.requireNonNull(LaunchLine.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static List<String> launchLines() {
        List<String> rows = lines("launch-lines.tsv");
        return rows.subList(1, rows.size());
    }

    static List<String> startupArguments() {
        return lines("startup-arguments.jsonl");
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n").replace("\\\\", "\\");
    }

    @ParameterizedTest
    @MethodSource("launchLines")
    void readsWhatTheLineSays(String row) {
        String[] cells = row.split("\t", -1);
        LaunchCommand command = LaunchLine.parse(unescaped(cells[8]));

        assertThat(command.engine()).isEqualTo(cells[0]);
        assertThat(command.model().orElse("-")).isEqualTo(cells[1]);
        if (cells[0].equals("vllm")) {
            VllmOptions options = VllmOptionsReader.read(command.arguments(), command.environment());
            assertThat(options.parallel().ranks().tensor())
                    .isEqualTo(cells[2].equals("-") ? 1 : Integer.parseInt(cells[2]));
            assertThat(length(options)).isEqualTo(cells[3]);
            assertThat(options.memory().utilization().orElse(0))
                    .isEqualTo(cells[4].equals("-") ? 0 : Double.parseDouble(cells[4]));
            assertThat(options.scheduler().maxSequences().orElse(0)).isEqualTo(number(cells[5]));
            assertThat(options.scheduler().maxBatchedTokens().orElse(0)).isEqualTo(number(cells[6]));
            assertThat(options.cache().dtype()).isEqualTo(cells[7].equals("-") ? "auto" : cells[7]);
        }
    }

    private static String length(VllmOptions options) {
        return options.model().length() instanceof ModelOptions.Length.Tokens given
                ? String.valueOf(given.tokens())
                : "-";
    }

    private static int number(String cell) {
        return cell.equals("-") ? 0 : Integer.parseInt(cell);
    }

    @ParameterizedTest
    @MethodSource("startupArguments")
    void readsNotesOfBoots(String json) {
        List<String> words = new ArrayList<>();
        ((List<?>) JsonValue.value(json).orElseThrow()).forEach(word -> words.add(String.valueOf(word)));

        VllmOptions options = VllmOptionsReader.read(words, Map.of());

        assertThat(options.given().isEmpty()
                        && options.warnings().isEmpty()
                        && words.stream().noneMatch(w -> w.contains("=")))
                .isFalse();
    }

    @Test
    void survivesMutatedLines() {
        Random random = new Random(20261201);
        List<String> seeds = launchLines();
        String noise = "'\"\\${}()<>|&;#=-\n\t ,.:0aT[]^`é";
        for (int round = 0; round < 20_000; round++) {
            String row = seeds.get(random.nextInt(seeds.size()));
            StringBuilder line = new StringBuilder(unescaped(row.substring(row.lastIndexOf('\t') + 1)));
            for (int change = random.nextInt(6); change >= 0; change--) {
                mutate(line, random, noise);
            }
            readAll(line.toString());
        }
    }

    private static void mutate(StringBuilder line, Random random, String noise) {
        int at = random.nextInt(Math.max(1, line.length()));
        switch (random.nextInt(5)) {
            case 0 -> line.insert(Math.min(at, line.length()), noise.charAt(random.nextInt(noise.length())));
            case 1 -> line.delete(at, Math.min(line.length(), at + 1 + random.nextInt(12)));
            case 2 -> line.setLength(at);
            case 3 -> line.insert(0, noise.charAt(random.nextInt(noise.length())));
            default -> line.append(line.substring(Math.min(at, line.length())));
        }
    }

    private static void readAll(String line) {
        try {
            LaunchCommand command = LaunchLine.parse(line);
            VllmOptionsReader.read(command.arguments(), command.environment());
            VllmVersionReader.read(command.version());
        } catch (InputException expected) {
            assertThat(expected.getMessage()).doesNotContain("\n");
        } catch (RuntimeException e) {
            fail("not an InputException for: " + line, e);
        }
    }
}
