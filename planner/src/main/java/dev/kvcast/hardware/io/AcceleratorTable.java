package dev.kvcast.hardware.io;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.Accelerator.Compute;
import dev.kvcast.hardware.AcceleratorCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Reads {@code data/gpus.csv}, whose columns {@code data/README.md} describes. */
public final class AcceleratorTable {

    private static final String RESOURCE = "/data/gpus.csv";

    private AcceleratorTable() {}

    /** The packaged table. */
    public static AcceleratorCatalog packaged() {
        try (InputStream in = AcceleratorTable.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the jar");
            }
            return read(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A table in the same form. */
    static AcceleratorCatalog read(Reader reader) {
        List<Accelerator> accelerators = new ArrayList<>();
        CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(reader);
        for (NamedCsvRecord row : rows) {
            accelerators.add(accelerator(row));
        }
        return new AcceleratorCatalog(accelerators);
    }

    private static Accelerator accelerator(NamedCsvRecord row) {
        String aliases = row.getField("aliases");
        return new Accelerator(
                row.getField("name"),
                aliases.isEmpty() ? List.of() : List.of(aliases.split("\\|", -1)),
                row.getField("vendor"),
                row.getField("architecture"),
                (int) Math.round(number(row, "compute_capability").orElse(0) * 10),
                number(row, "memory_marketed_gb").orElse(0),
                (long) number(row, "memory_bytes").orElse(0),
                !row.getField("memory_bytes_basis").equals("estimated"),
                number(row, "bandwidth_gbs").orElse(0) * 1e9,
                new Compute(
                        tera(row, "bf16_tflops"),
                        tera(row, "fp16_tflops"),
                        tera(row, "fp8_tflops"),
                        tera(row, "int8_tops"),
                        tera(row, "fp4_tflops")),
                number(row, "link_gbs").orElse(0) * 1e9,
                row.getField("link"),
                (long) (number(row, "l2_mb").orElse(0) * (1 << 20)),
                row.getField("integrated").equals("yes"),
                row.getField("fp32acc_half_rate").equals("yes") ? 0.5 : 1);
    }

    private static OptionalDouble tera(NamedCsvRecord row, String column) {
        OptionalDouble value = number(row, column);
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * 1e12) : value;
    }

    private static OptionalDouble number(NamedCsvRecord row, String column) {
        String text = row.getField(column);
        return text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
    }
}
