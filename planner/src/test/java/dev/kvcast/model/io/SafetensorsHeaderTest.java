package dev.kvcast.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvcast.model.InputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsHeaderTest {

    @TempDir
    Path folder;

    /** Writes a file with the given header and data. */
    static Path write(Path file, String header, int dataBytes) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return write(file, json.length, json, dataBytes);
    }

    private static Path write(Path file, long announced, byte[] json, int dataBytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(8 + json.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(announced).put(json);
        return Files.write(file, buffer.array());
    }

    private String refusal(Path file) {
        InputException e = catchThrowableOfType(InputException.class, () -> SafetensorsHeader.read(file));
        assertThat(e).isNotNull();
        assertThat(e.getMessage()).doesNotContain("\n").contains("model.safetensors");
        return e.getMessage();
    }

    private Path file() {
        return folder.resolve("model.safetensors");
    }

    private static String tensor(String name, String dtype, String shape, long begin, long end) {
        return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":[" + begin + ","
                + end + "]}";
    }

    @Test
    void readsTensors() throws IOException {
        String header = "{\"__metadata__\":{\"format\":\"pt\"},"
                + tensor("lm_head.weight", "BF16", "[4,2]", 0, 16) + ","
                + tensor("model.layers.0.mlp.experts.0.up_proj.weight", "F8_E4M3", "[8]", 16, 24) + "}";
        SafetensorsHeader read = SafetensorsHeader.read(write(file(), header, 24));
        assertThat(read.bytes()).isEqualTo(24);
        assertThat(read.tensors()).hasSize(2);
        assertThat(read.tensors().get(0).elements()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, Long.MAX_VALUE, 100_000_001, 1_000})
    void refusesAHeaderLengthBeyondTheFile(long length) throws IOException {
        assertThat(refusal(write(file(), length, "{}".getBytes(StandardCharsets.UTF_8), 0)))
                .contains(Long.toUnsignedString(length));
    }

    @Test
    void refusesAFileOfFewerThanEightBytes() throws IOException {
        assertThat(refusal(Files.write(file(), new byte[5]))).contains("5 bytes");
    }

    @Test
    void refusesAMissingFile() {
        assertThat(refusal(file())).contains("does not exist");
    }

    @Test
    void refusesOverlappingTensors() throws IOException {
        String header = "{" + tensor("a", "F16", "[4]", 0, 8) + "," + tensor("b", "F16", "[4]", 4, 12) + "}";
        assertThat(refusal(write(file(), header, 12))).contains("overlaps");
    }

    @Test
    void refusesShapesThatContradictOffsets() throws IOException {
        assertThat(refusal(write(file(), "{" + tensor("a", "F16", "[4]", 0, 6) + "}", 8)))
                .contains("shape needs 8");
    }

    @Test
    void refusesDataBeyondTheFile() throws IOException {
        assertThat(refusal(write(file(), "{" + tensor("a", "F16", "[4]", 0, 8) + "}", 4)))
                .contains("incomplete");
    }

    @Test
    void detectsOverflow() throws IOException {
        String shape = "[4294967296,4294967296,16]";
        assertThat(refusal(write(file(), "{" + tensor("a", "F16", shape, 0, 8) + "}", 8)))
                .contains("2^63");
    }

    @Test
    void refusesNegativeSizesAndUnknownTypes() throws IOException {
        refusal(write(file(), "{" + tensor("a", "F16", "[-4]", 0, 8) + "}", 8));
        refusal(write(file(), "{" + tensor("a", "Q9", "[4]", 0, 8) + "}", 8));
        refusal(write(file(), "{\"a\":{\"dtype\":\"F16\"}}", 8));
        refusal(write(file(), "{\"a\":3}", 8));
        refusal(write(file(), "not json", 8));
    }
}
