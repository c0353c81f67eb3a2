package dev.kvcast.model.io;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Reads {@code checkpoints.csv}. */
final class CheckpointTable {

    private CheckpointTable() {}

    /** All rows, in order. */
    static List<Checkpoint> read(InputStream stream, String name) {
        List<Checkpoint> rows = new ArrayList<>();
        try (CsvReader<NamedCsvRecord> reader =
                CsvReader.builder().ofNamedCsvRecord(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (NamedCsvRecord row : reader) {
                rows.add(row(row));
            }
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            throw InputException.badInput(name + " is not a valid table of checkpoints: " + e.getMessage())
                    .because(e);
        }
        return rows;
    }

    private static Checkpoint row(NamedCsvRecord row) {
        String group = row.getField("group_size");
        String bits = row.getField("bits_per_weight");
        String kept = row.getField("kept_16bit");
        return new Checkpoint(
                row.getField("checkpoint"),
                row.getField("base"),
                row.getField("quantization"),
                group.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(group)),
                kept.isEmpty() ? List.of() : List.of(kept.split(";")),
                bits.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(bits)),
                row.getField("kv_scheme"));
    }
}
