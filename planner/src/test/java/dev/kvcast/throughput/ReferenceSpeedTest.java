package dev.kvcast.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rates against an independent implementation of the step-time formula in Python, with the same coefficients: 14
 * deployments of dense, hybrid, windowed, latent and expert models. It leaves out what is small, such as vocabulary
 * padding, so agreement is to 2.5%.
 */
class ReferenceSpeedTest {

    private static final double TOLERANCE = 0.025;

    static List<NamedCsvRecord> rows() throws IOException {
        List<NamedCsvRecord> rows = new ArrayList<>();
        try (Reader reader = new InputStreamReader(
                        Objects.requireNonNull(ReferenceSpeedTest.class.getResourceAsStream("/speed/reference.csv")),
                        StandardCharsets.UTF_8);
                CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(reader)) {
            csv.forEach(rows::add);
        }
        return rows;
    }

    @Test
    void holdsEveryRow() throws IOException {
        assertThat(rows()).hasSize(56);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void agreesWithTheReference(NamedCsvRecord row) {
        int ranks = Integer.parseInt(row.getField("tp"));
        Deployments deployment = Deployments.of(
                row.getField("model"),
                row.getField("weights"),
                Deployments.card(row.getField("gpu")),
                ranks,
                "--tensor-parallel-size",
                String.valueOf(ranks),
                "--kv-cache-dtype",
                row.getField("kv_cache"),
                "--max-num-batched-tokens",
                "2048",
                "--max-num-seqs",
                "128",
                "--max-model-len",
                "8192");
        long context = Long.parseLong(row.getField("context"));
        int concurrency = Integer.parseInt(row.getField("concurrency"));
        Forecast rate = row.getField("phase").equals("prefill")
                ? deployment.speed().prefill(context).tokensPerSecond()
                : deployment
                        .speed()
                        .decode(
                                context,
                                concurrency,
                                512,
                                row.getField("shared").equals("yes"))
                        .tokensPerSecond();
        double expected = Double.parseDouble(row.getField("tok_s"));
        assertThat(rate.value()).isCloseTo(expected, within(TOLERANCE * expected));
    }
}
