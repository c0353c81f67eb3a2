package dev.kvcast.model.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** Where a catalogue's files are: a folder, or the resources of the jar. Paths use {@code /} and name no root. */
interface CatalogFiles {

    /** Opens a file such as {@code Qwen/Qwen3-8B/config.json}, if it exists. */
    Optional<InputStream> open(String path) throws IOException;

    /** Every {@code organization/name} with a {@code config.json}, sorted. */
    List<String> modelIds() throws IOException;

    /** What messages call this place. */
    String describe();
}
