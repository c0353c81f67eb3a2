package dev.kvcast.model.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A catalogue in a folder of the user ({@code --models DIR}). */
record CatalogFolder(Path folder) implements CatalogFiles {

    private static final int DEPTH = 3;

    @Override
    public Optional<InputStream> open(String path) throws IOException {
        Path file = folder.resolve(path).normalize();
        return file.startsWith(folder.normalize()) && Files.isRegularFile(file)
                ? Optional.of(Files.newInputStream(file))
                : Optional.empty();
    }

    @Override
    public List<String> modelIds() throws IOException {
        Path real = folder.toRealPath();
        try (Stream<Path> files = Files.walk(real, DEPTH)) {
            return files.filter(file -> file.endsWith("config.json"))
                    .map(file ->
                            real.relativize(file.resolveSibling("")).toString().replace('\\', '/'))
                    .filter(id -> id.contains("/"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public String describe() {
        return folder.toString();
    }
}
