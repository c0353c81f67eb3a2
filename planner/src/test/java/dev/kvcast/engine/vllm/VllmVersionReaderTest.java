package dev.kvcast.engine.vllm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VllmVersionReaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.32.0|0.32.0|false",
                "v0.9.2|0.9.2|false",
                "0.19|0.19.0|false",
                "0.19.x|0.19.1|false",
                "v0.19.2rc1.dev8|0.19.2|false",
                "0.20.2rc1.dev129+g1acd67a79|0.21.0|true",
                "0.26.1rc1.dev1108+gda329cc30|0.28.0|true",
                "0.11.0rc2.dev98+g393de22d2|0.11.0|false",
                "0.14.0rc2.dev348+gdcd80206b|0.15.0|true",
                "0.26.0 class|0.26.0|false",
                "0.28+ (one-line log form)|0.28.0|false",
                "0.27.1 + dflash2 backport|0.27.1|false",
                "0.22.0..0.24.0|0.22.0|true",
                "0.17/0.18 class (line numbers)|0.17.0|true",
                "nightly (2026-05)|0.21.0|true",
                "2026-08 build|0.27.0|true",
                "0.1.dev1+g36fc04825 (2026-05)|0.21.0|true",
                "0.1.dev19754+g3a0914114 (qwen38 image, about 0.27)|0.27.0|false",
                "0.2x (2026-08)|0.27.0|true",
                "main 2025-01-30 (0.7.0+)|0.7.0|true",
                "0.8.5|0.8.5|true",
                "V0 log form|0.8.5|true",
                "0.4.1 (NIM 1.0.0)|0.4.1|true",
                "nightly|0.32.0|true",
                "1Cat fork|0.32.0|true",
                "0.33.0|0.33.0|false",
                "0.40.0|0.40.0|true",
            })
    void readsVersionsAsPeopleWriteThem(String text, String version, boolean warned) {
        VllmVersionReader.Reading reading = VllmVersionReader.read(Optional.of(text));

        assertThat(reading.version()).hasToString(version);
        assertThat(reading.warnings().isEmpty()).isNotEqualTo(warned);
    }

    @Test
    void takesTheNewestWhenNothingIsSaid() {
        assertThat(VllmVersionReader.read(Optional.empty()).version()).isEqualTo(VllmVersion.NEWEST);
        assertThat(VllmVersionReader.read(Optional.empty()).warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // version, utilization, graphs subtracted, form, pad-up, align, cached hybrids, in flight, null block
        "0.9.2, 0.90, false, BLOCKS_PER_GROUP, 1.0, false, false, false, false",
        "0.12.0, 0.90, false, BLOCKS_PER_GROUP, 1.25, false, false, false, false",
        "0.19.0, 0.90, false, BLOCKS_PER_GROUP, 1.5, true, false, false, false",
        "0.20.2, 0.90, false, CONCURRENCY, 1.5, true, false, false, false",
        "0.21.0, 0.92, true, CONCURRENCY, 1.5, true, false, false, false",
        "0.26.0, 0.92, true, CONCURRENCY, 1.5, true, false, true, false",
        "0.32.0, 0.92, true, CONCURRENCY, 1.5, true, true, true, true",
    })
    void changesRulesWithTheRelease(
            String version,
            double utilization,
            boolean graphs,
            PrintedCapacity.Form form,
            double padUp,
            boolean align,
            boolean cached,
            boolean inFlight,
            boolean nullBlock) {
        VllmRules rules = VllmRules.of(VllmVersion.of(version));

        assertThat(rules.defaultUtilization()).isEqualTo(utilization);
        assertThat(rules.graphsSubtracted()).isEqualTo(graphs);
        assertThat(rules.printedForm()).isEqualTo(form);
        assertThat(rules.padUpRatio()).isEqualTo(padUp);
        assertThat(rules.states().alignMode()).isEqualTo(align);
        assertThat(rules.states().cachedByDefault()).isEqualTo(cached);
        assertThat(rules.inFlightPerBatch()).isEqualTo(inFlight);
        assertThat(rules.nullBlockReserved()).isEqualTo(nullBlock);
    }
}
