package dev.kvcast.engine.vllm;

import dev.kvcast.model.ModelConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The draft models that are known ({@code drafters.csv}), more particular ones first. */
final class Drafters {

    private static final String TABLE = "drafters.csv";

    private Drafters() {}

    /** Read once, when first needed. */
    private static final class Holder {
        static final List<Drafter> TABLE = load();
    }

    /** The drafter that the options name for this target, or {@link Drafter#NONE}. */
    static Drafter of(ModelConfig model, VllmOptions options) {
        if (options.speculative().isEmpty()) {
            return Drafter.NONE;
        }
        SpeculativeOptions drafts = options.speculative().get();
        String name = drafts.model().orElse("").toLowerCase(Locale.ROOT);
        for (Drafter drafter : Holder.TABLE) {
            if (drafter.method().equals(drafts.method())
                    && model.modelType().startsWith(drafter.target())
                    && name.contains(drafter.draft())) {
                return drafter;
            }
        }
        return Drafter.NONE;
    }

    private static List<Drafter> load() {
        List<Drafter> rows = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(Drafters.class.getResourceAsStream(TABLE), TABLE);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String header = reader.readLine();
            String line = header == null ? null : reader.readLine();
            while (line != null) {
                rows.add(row(line.split(",", 13)));
                line = reader.readLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(rows);
    }

    private static Drafter row(String[] cells) {
        return new Drafter(
                cells[0],
                cells[1],
                cells[2],
                Integer.parseInt(cells[3]),
                Integer.parseInt(cells[4]),
                Integer.parseInt(cells[5]),
                Integer.parseInt(cells[6]),
                Integer.parseInt(cells[7]),
                Integer.parseInt(cells[8]),
                Double.parseDouble(cells[9]),
                cells[10].equals("yes"),
                cells[11].equals("yes"));
    }
}
