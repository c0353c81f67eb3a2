package dev.kvcast.validator.fit;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known to be wrong with single boots ({@code data/startups/notes.csv}).
 *
 * @param reasons by kind and row
 */
public record BootNotes(Map<Kind, Map<String, String>> reasons) {

    /** What a note is about. */
    public enum Kind {
        /** The tokens do not follow from the printed GiB. */
        PIN,
        /** The prediction is more than a tenth off. */
        ZERO_SHOT,
        /** Nothing should be fitted to the row. */
        UNFIT,
        /** The row may be refused: what it names is missing or not modelled. */
        REFUSED
    }

    /** Copies the map. */
    public BootNotes {
        reasons = Map.copyOf(reasons);
    }

    /** Reads the table. */
    public static BootNotes read(Path file) {
        Map<Kind, Map<String, String>> reasons = new HashMap<>();
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : rows) {
                Kind kind = Kind.valueOf(row.getField("kind").replace('-', '_').toUpperCase(java.util.Locale.ROOT));
                reasons.computeIfAbsent(kind, unseen -> new HashMap<>())
                        .put(row.getField("id"), row.getField("reason"));
            }
        } catch (IOException e) {
            throw InputException.badInput(file + " cannot be read: " + e.getMessage())
                    .because(e);
        }
        return new BootNotes(reasons);
    }

    /** The reason for a row, if there is a note of that kind. */
    public Optional<String> reason(Kind kind, String id) {
        return Optional.ofNullable(reasons.getOrDefault(kind, Map.of()).get(id));
    }
}
