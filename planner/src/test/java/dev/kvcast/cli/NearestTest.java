package dev.kvcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

    @ParameterizedTest
    @CsvSource({"fti,''", "fitt,fit", "matrx,matrix", "simulat,simulate", "zzz,''", "'',''", "martix,matrix"})
    void findsWhatWasMeant(String word, String nearest) {
        assertThat(Nearest.to(word, List.of("fit", "matrix", "simulate"))).isEqualTo(nearest);
    }
}
