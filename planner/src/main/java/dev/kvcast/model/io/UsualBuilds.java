package dev.kvcast.model.io;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.QuantizationNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What published builds of a model family leave in 16 bits or in another format, for the case that only "this model in
 * that quantization" is said ({@code models/usual-builds.csv}). The bytes of one particular build may be others.
 */
public final class UsualBuilds {

    private static final String TABLE = "/models/usual-builds.csv";

    /** Names that say how their weights are stored. */
    private static final Pattern NAMED = Pattern.compile(
            "awq|gptq|int4|int8|w4a16|w8a8|fp8|fp4|exl[23]|autoround|gguf|bnb|-bit", Pattern.CASE_INSENSITIVE);

    private UsualBuilds() {}

    private record Build(String family, String experts, String quantization, Checkpoint storage) {
        boolean fits(ModelConfig model, boolean hasExperts, String name) {
            return model.modelType().startsWith(family)
                    && name.contains(quantization)
                    && (experts.isEmpty() || experts.equals("yes") == hasExperts);
        }
    }

    /** Read once, when first needed. */
    private static final class Holder {
        static final List<Build> TABLE = load();
    }

    /**
     * The model as builds of that quantization usually store it.
     *
     * @param quantization a quantization as people name it
     * @throws InputException for one that is not known
     */
    public static ModelConfig apply(ModelConfig model, String quantization) {
        String name = quantization.toLowerCase(Locale.ROOT);
        boolean experts = model.layers().stream().anyMatch(layer -> layer.feedForward() instanceof FeedForward.Experts);
        for (Build build : Holder.TABLE) {
            if (build.fits(model, experts, name)) {
                Checkpoint storage = build.storage().withQuantization(name);
                ModelConfig built = model.withQuantization(storage.storage().asAssumed());
                return storage.kvScheme().isEmpty() ? built : built.withKvCacheDtype(storage.kvScheme());
            }
        }
        return model.withQuantization(QuantizationNames.parse(quantization).asAssumed());
    }

    /**
     * The model when a quantization is stated beside its name. A checkpoint that says how it is stored knows better than a
     * word beside it, except where the two differ by half or more and the name itself speaks of no quantization: then the
     * statement is about another build of that model.
     *
     * @throws InputException for a quantization that is not known, where it matters
     */
    public static ModelConfig stated(ModelConfig model, String quantization) {
        if (!model.quantization().quantized()) {
            return apply(model, quantization);
        }
        double own = model.quantization().scheme().bits(model.dtype());
        if (NAMED.matcher(model.id()).find() || own > 8 || !QuantizationNames.known(quantization)) {
            return model;
        }
        double other = QuantizationNames.parse(quantization).scheme().bits(model.dtype());
        return other > own / 2 ? model : apply(model, quantization);
    }

    private static List<Build> load() {
        List<Build> builds = new ArrayList<>();
        InputStream in = Objects.requireNonNull(UsualBuilds.class.getResourceAsStream(TABLE), TABLE);
        try (CsvReader<NamedCsvRecord> rows =
                CsvReader.builder().ofNamedCsvRecord(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (NamedCsvRecord row : rows) {
                builds.add(build(row));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(builds);
    }

    private static Build build(NamedCsvRecord row) {
        String group = row.getField("group_size");
        Checkpoint storage = new Checkpoint(
                row.getField("model_type"),
                "",
                row.getField("format"),
                group.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(group)),
                List.of(row.getField("kept_16bit").split(";")),
                OptionalDouble.empty(),
                row.getField("kv_scheme"));
        return new Build(row.getField("model_type"), row.getField("experts"), row.getField("quantization"), storage);
    }
}
