package dev.kvcast.validator.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.model.InputException;
import dev.kvcast.report.Csv;
import dev.kvcast.report.JsonOut;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged files are refused in words; nothing else ever escapes, and what is still a run can be written. */
class RunFuzzTest {

    private static final int MUTATIONS = 20_000;

    private static final String[] TOKENS = {
        "0",
        "-1",
        "1e999",
        "-1e308",
        "NaN",
        "Infinity",
        "null",
        "true",
        "[]",
        "{}",
        "[[",
        "\"\"",
        "\"inf\"",
        "2147483648",
        "9007199254740993",
        "99999999999999999999",
        "0.1",
        "}",
        "]",
        ",",
        "\\u0000",
        "\ud83d\ude00",
        ":"
    };

    @Test
    void onlyInputExceptionsEscape() {
        Random random = new Random(20261201);
        List<byte[]> samples = new ArrayList<>();
        for (String name : Samples.NAMES) {
            samples.add(Samples.bytes(name));
        }
        int read = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] damaged = samples.get(random.nextInt(samples.size()));
            for (int times = 1 + random.nextInt(3); times > 0; times--) {
                damaged = mutated(damaged, random);
            }
            read += survives(damaged) ? 1 : 0;
        }
        // Most damage hits a number or a name that no reader needs.
        assertThat(read).isBetween(MUTATIONS / 20, MUTATIONS * 19 / 20);
    }

    private static boolean survives(byte[] damaged) {
        try {
            MeasuredRun run = RunReaders.read("damaged", new ByteArrayInputStream(damaged));
            RunChecks.problems(run);
            RunChecks.beyond(run, concurrency -> 1000);
            Csv.render(RunTable.of(run));
            RunPage.of(run);
            JsonOut.compact(LlmInferenceBenchJson.of(run));
            RunReaders.read(
                    "written",
                    new ByteArrayInputStream(JsonOut.compact(RunJson.of(run)).getBytes(StandardCharsets.UTF_8)));
            return true;
        } catch (InputException e) {
            assertThat(String.valueOf(e.getMessage())).isNotBlank();
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError("escaped from " + new String(damaged, StandardCharsets.UTF_8), e);
        }
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(6)) {
            case 0 -> {
                byte[] copy = bytes.clone();
                copy[at] = (byte) random.nextInt();
                yield copy;
            }
            case 1 -> spliced(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(40)), new byte[0]);
            case 2 -> spliced(bytes, at, bytes.length, new byte[0]);
            case 3 -> spliced(bytes, at, at, slice(bytes, random));
            default -> value(bytes, at, random);
        };
    }

    /** Puts another token in the place of a value. */
    private static byte[] value(byte[] bytes, int from, Random random) {
        int start = from;
        while (start < bytes.length && bytes[start] != ':') {
            start++;
        }
        int end = start;
        while (end < bytes.length && bytes[end] != ',' && bytes[end] != '}' && bytes[end] != '\n') {
            end++;
        }
        byte[] token = TOKENS[random.nextInt(TOKENS.length)].getBytes(StandardCharsets.UTF_8);
        return spliced(
                bytes, Math.min(start + 1, bytes.length), Math.max(end, Math.min(start + 1, bytes.length)), token);
    }

    private static byte[] slice(byte[] bytes, Random random) {
        int start = random.nextInt(bytes.length);
        byte[] part = new byte[Math.min(bytes.length - start, random.nextInt(200))];
        System.arraycopy(bytes, start, part, 0, part.length);
        return part;
    }

    private static byte[] spliced(byte[] bytes, int start, int end, byte[] middle) {
        byte[] result = new byte[start + middle.length + bytes.length - end];
        System.arraycopy(bytes, 0, result, 0, start);
        System.arraycopy(middle, 0, result, start, middle.length);
        System.arraycopy(bytes, end, result, start + middle.length, bytes.length - end);
        return result;
    }
}
