package dev.kvcast.model.io;

import dev.kvcast.model.DataType;
import dev.kvcast.model.InputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The header of a safetensors file: every tensor's name, type and bytes, without reading any data. Layout: 8 bytes of
 * little-endian header length, the header as JSON, then the data ({@code huggingface/safetensors}, README). Nothing in it
 * is believed unchecked.
 *
 * @param tensors tensors in order of their data
 */
public record SafetensorsHeader(List<Tensor> tensors) {

    /** The format's own limit for a header. */
    public static final long LARGEST_HEADER = 100_000_000;

    /** Bytes before the header. */
    static final int LENGTH_BYTES = 8;

    /** Copies the list. */
    public SafetensorsHeader {
        tensors = List.copyOf(tensors);
    }

    /**
     * One tensor.
     *
     * @param name dotted name
     * @param type element type
     * @param elements number of elements
     * @param bytes bytes of its data
     */
    public record Tensor(String name, DataType type, long elements, long bytes) {}

    private record Placed(Tensor tensor, long begin, long end) {}

    /** Bytes of all tensors. */
    public long bytes() {
        long sum = 0;
        for (Tensor tensor : tensors) {
            sum = Math.addExact(sum, tensor.bytes());
        }
        return sum;
    }

    /**
     * Reads the header of a file.
     *
     * @throws InputException when the file is missing or its header contradicts itself or the file's size
     */
    public static SafetensorsHeader read(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            long size = Files.size(file);
            byte[] prefix = stream.readNBytes(LENGTH_BYTES);
            int length = length(prefix, size, file.toString());
            return parse(stream.readNBytes(length), size, file.toString());
        } catch (NoSuchFileException e) {
            throw InputException.badInput(file + " does not exist, though the checkpoint's index names it; download it")
                    .because(e);
        } catch (IOException e) {
            throw InputException.badInput(file + " cannot be read: " + e.getMessage())
                    .because(e);
        }
    }

    /**
     * The checked length of a header.
     *
     * @param prefix first 8 bytes of the file
     * @param fileSize size of the whole file in bytes
     */
    static int length(byte[] prefix, long fileSize, String name) {
        if (prefix.length < LENGTH_BYTES) {
            throw InputException.badInput(
                    name + " has " + prefix.length + " bytes; a safetensors file has at least 8, download it again");
        }
        long length = ByteBuffer.wrap(prefix).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 0 || length > LARGEST_HEADER || length > fileSize - LENGTH_BYTES) {
            throw InputException.badInput(name + " announces a header of " + Long.toUnsignedString(length)
                    + " bytes in a file of " + fileSize + "; it is not a whole safetensors file, download it again");
        }
        return (int) length;
    }

    /**
     * Checks and reads a header.
     *
     * @param header the JSON part
     * @param fileSize size of the whole file in bytes
     */
    static SafetensorsHeader parse(byte[] header, long fileSize, String name) {
        Map<String, Object> json = JsonSource.parse(new ByteArrayInputStream(header), "the header of " + name);
        long dataSize = fileSize - LENGTH_BYTES - header.length;
        List<Placed> placed = new ArrayList<>();
        json.forEach((tensor, value) -> {
            if (!tensor.equals("__metadata__")) {
                placed.add(tensor(tensor, value, dataSize, name));
            }
        });
        placed.sort(Comparator.comparingLong(Placed::begin).thenComparingLong(Placed::end));
        long end = 0;
        for (Placed next : placed) {
            if (next.begin() < end) {
                throw InputException.badInput(name + ": tensor " + next.tensor().name()
                        + " overlaps the one before it; the file is damaged, download it again");
            }
            end = next.end();
        }
        return new SafetensorsHeader(placed.stream().map(Placed::tensor).toList());
    }

    private static Placed tensor(String tensor, Object value, long dataSize, String name) {
        if (!(value instanceof Map<?, ?> fields)
                || !(fields.get("dtype") instanceof String dtype)
                || !(fields.get("shape") instanceof List<?> shape)
                || !(fields.get("data_offsets") instanceof List<?> offsets)
                || offsets.size() != 2) {
            throw InputException.badInput(name + ": tensor " + tensor
                    + " lacks dtype, shape or data_offsets; the file is damaged, download it again");
        }
        DataType type = DataType.parse(dtype)
                .orElseThrow(() -> InputException.unknownArchitecture(
                        name + ": tensor " + tensor + " has the type " + dtype + ", which kvcast does not know"));
        long begin = whole(offsets.get(0), name, tensor);
        long end = whole(offsets.get(1), name, tensor);
        long elements = 1;
        long bytes;
        try {
            for (Object size : shape) {
                elements = Math.multiplyExact(elements, whole(size, name, tensor));
            }
            bytes = type.bytes(elements);
        } catch (ArithmeticException e) {
            throw InputException.badInput(
                            name + ": tensor " + tensor + " has a shape beyond 2^63 elements; the file is damaged")
                    .because(e);
        }
        if (begin > end || end > dataSize || end - begin != bytes) {
            throw InputException.badInput(name + ": tensor " + tensor + " has data_offsets " + begin + " to " + end
                    + ", but its shape needs " + bytes + " of the " + dataSize
                    + " data bytes; the file is damaged or incomplete, download it again");
        }
        return new Placed(new Tensor(tensor, type, elements, bytes), begin, end);
    }

    private static long whole(Object value, String name, String tensor) {
        if ((value instanceof Integer || value instanceof Long) && ((Number) value).longValue() >= 0) {
            return ((Number) value).longValue();
        }
        throw InputException.badInput(name + ": tensor " + tensor + " has the size or offset " + value
                + "; expected a whole number from 0 up, the file is damaged");
    }
}
