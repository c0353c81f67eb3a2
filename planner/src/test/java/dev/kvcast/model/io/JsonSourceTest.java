package dev.kvcast.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvcast.model.InputException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonSourceTest {

    @TempDir
    Path folder;

    private String refusal(Path file) {
        InputException e = catchThrowableOfType(InputException.class, () -> JsonSource.read(file));
        assertThat(e).as("reading " + file).isNotNull();
        assertThat(e.code()).isEqualTo(InputException.Code.BAD_INPUT);
        assertThat(e.getMessage()).doesNotContain("\n").contains(file.toString());
        return e.getMessage();
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("config.json"), bytes);
    }

    private Path write(String text) throws IOException {
        return write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsAnObjectWithInfinities() throws IOException {
        assertThat(JsonSource.read(write("{\"time_step_limit\": [0.0, Infinity], \"x\": 1}")))
                .containsEntry("x", 1);
    }

    @Test
    void refusesAMissingFile() {
        assertThat(refusal(folder.resolve("none.json"))).contains("does not exist");
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        assertThat(refusal(write(""))).contains("is empty");
    }

    @Test
    void refusesBlanksAndWrongShapes() throws IOException {
        refusal(write("   "));
        refusal(write("[1, 2]"));
        refusal(write("null"));
        refusal(write("7"));
    }

    @Test
    void refusesATruncatedFile() throws IOException {
        assertThat(refusal(write("{\"hidden_size\": 4096, \"vocab"))).contains("truncated");
    }

    @Test
    void refusesAWrongEncoding() throws IOException {
        refusal(write(new byte[] {'{', '"', (byte) 0xe9, (byte) 0x28, '"', ':', '1', '}'}));
    }

    @Test
    void refusesDeepNesting() throws IOException {
        assertThat(refusal(write("{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}")))
                .contains("nesting");
    }

    @Test
    void refusesEndlessNumbers() throws IOException {
        refusal(write("{\"hidden_size\": " + "9".repeat(100_000) + "}"));
    }

    @Test
    void refusesAGigabyteWithoutReadingIt() throws IOException {
        Path file = folder.resolve("huge.json");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 30);
        }
        assertThat(refusal(file)).contains("1073741824 bytes");
    }
}
