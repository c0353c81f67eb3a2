package dev.kvcast.validator.cli;

import dev.kvcast.model.InputException;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file whole or not at all. */
final class AtomicFile {

    private AtomicFile() {}

    /** Writes the text in UTF-8 in place of what the file held. */
    static void write(Path file, String text) {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                // A device or pipe takes the text itself; to replace it would remove it from the system.
                Files.writeString(file, text);
                return;
            }
            Path part = file.toAbsolutePath().resolveSibling("." + file.getFileName() + ".part");
            try {
                Files.writeString(part, text);
                move(part, file);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw InputException.badInput("cannot write " + file + ": " + e.getMessage())
                    .because(e);
        }
    }

    private static void move(Path part, Path file) throws IOException {
        try {
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
