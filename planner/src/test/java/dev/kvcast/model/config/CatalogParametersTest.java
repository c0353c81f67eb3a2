package dev.kvcast.model.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Weight;
import dev.kvcast.model.WeightScheme;
import dev.kvcast.model.io.JsonSource;
import dev.kvcast.model.io.ModelCatalog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Parameter counts computed from every catalogued config against the published ones: exact where the published count is
 * exact, 1% where it is rounded. Exceptions are listed by name with their reason in {@code parameter-exceptions.csv}.
 */
class CatalogParametersTest {

    private static final Path MODELS = Path.of("..", "models");

    private record Listed(String difference, String reason) {}

    @Test
    void everyCatalogedModelHasItsPublishedParameters() throws IOException {
        Map<String, Listed> exceptions = exceptions();
        List<String> failures = new ArrayList<>();
        int exact = 0;
        for (String id : ModelCatalog.packaged().ids()) {
            String difference = difference(id);
            Listed exception = exceptions.remove(id);
            if (exception != null) {
                if (!exception.difference().equals(difference)) {
                    failures.add(id + ": listed as " + exception.difference() + ", is " + difference);
                }
            } else if (difference.equals("0")) {
                exact++;
            } else if (!difference.equals("unpublished") && !difference.equals("rounded")) {
                failures.add(id + ": " + difference);
            }
        }
        assertThat(failures).isEmpty();
        assertThat(exceptions.keySet())
                .as("exceptions for models that do not exist")
                .isEmpty();
        assertThat(exact).isGreaterThan(200);
    }

    /** Computed minus published: "0", "rounded" (within 1% of a rounded count), a number, or why there is none. */
    private static String difference(String id) {
        ModelConfig model;
        try {
            model = ConfigReader.read(id, JsonSource.read(MODELS.resolve(id).resolve("config.json")));
        } catch (InputException e) {
            return e.code().label();
        }
        Map<String, Object> facts = JsonSource.read(MODELS.resolve(id).resolve("weights.json"));
        if (!(facts.get("parameters") instanceof Map<?, ?> parameters)
                || !(parameters.get("total") instanceof Number published)) {
            return "unpublished";
        }
        long difference = model.parameters() - published.longValue();
        boolean tiedTwice = model.tiedEmbeddings()
                && difference == -Math.multiplyExact((long) model.vocabularySize(), model.hiddenSize());
        if (tiedTwice || difference == -blockScales(model)) {
            return "0";
        }
        boolean rounded = !Boolean.TRUE.equals(parameters.get("total_exact"));
        return rounded && Math.abs(difference) <= published.longValue() / 100 ? "rounded" : Long.toString(difference);
    }

    /** Published counts of FP8 checkpoints include their scales. */
    private static long blockScales(ModelConfig model) {
        long scales = 0;
        for (Weight weight : model.weights()) {
            if (weight.component().inCheckpoint()
                    && weight.scheme() instanceof WeightScheme.EightBit eight
                    && eight.granularity() == WeightScheme.Granularity.BLOCK_128) {
                long blocks = (weight.rows() + 127) / 128 * ((weight.columns() + 127) / 128);
                scales += blocks * weight.count() * weight.layers().count();
            }
        }
        return scales;
    }

    private static Map<String, Listed> exceptions() throws IOException {
        Map<String, Listed> result = new HashMap<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(
                        CatalogParametersTest.class.getResourceAsStream("/dev/kvcast/model/parameter-exceptions.csv")),
                StandardCharsets.UTF_8))) {
            reader.lines().skip(1).forEach(line -> {
                String[] cells = line.split(",", 3);
                result.put(cells[0], new Listed(cells[1], cells[2]));
            });
        }
        return result;
    }
}
