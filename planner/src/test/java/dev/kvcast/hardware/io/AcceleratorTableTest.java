package dev.kvcast.hardware.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.AcceleratorCatalog;
import dev.kvcast.model.InputException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceleratorTableTest {

    private static final AcceleratorCatalog CATALOG = AcceleratorTable.packaged();

    @Test
    void listsThePromisedNumberOfCards() {
        assertThat(CATALOG.accelerators()).hasSizeGreaterThanOrEqualTo(75);
    }

    @Test
    void namesAreUniqueAndFindThemselves() {
        Set<String> names = new HashSet<>();
        for (Accelerator accelerator : CATALOG.accelerators()) {
            assertThat(names.add(accelerator.name())).as(accelerator.name()).isTrue();
            assertThat(CATALOG.find(accelerator.name())).isEqualTo(accelerator);
            for (String alias : accelerator.aliases()) {
                assertThat(CATALOG.find(alias).name()).as(alias).isEqualTo(accelerator.name());
            }
        }
    }

    @Test
    void everyCardHasMemoryAndBandwidth() {
        for (Accelerator accelerator : CATALOG.accelerators()) {
            assertThat(accelerator.memoryBytes()).as(accelerator.name()).isBetween(3L << 30, 600L << 30);
            assertThat(accelerator.bandwidthBytesPerSecond())
                    .as(accelerator.name())
                    .isBetween(50e9, 10e12);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3090 24GB, RTX 3090",
        "rtx3090, RTX 3090",
        "NVIDIA GeForce RTX 3090, RTX 3090",
        "RTX 3090 Ti, RTX 3090 Ti",
        "3090ti, RTX 3090 Ti",
        "RTX 4090 (inferred from 23.53 GiB), RTX 4090",
        "RTX 5090, RTX 5090",
        "NVIDIA L4, L4",
        "DGX Spark GB10, DGX Spark GB10",
    })
    void namesAreTakenAsPeopleWriteThem(String written, String name) {
        assertThat(CATALOG.find(written).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "H100 80GB SXM, 80",
        "H100 80GB, 80",
        "H100, 80",
        "A100 80GB SXM, 80",
        "A100 40GB SXM, 40",
        "GH200 96GB, 96"
    })
    void memorySizesDisambiguate(String written, double gigabytes) {
        assertThat(CATALOG.find(written).marketedGigabytes()).isEqualTo(gigabytes);
    }

    @ParameterizedTest
    @CsvSource({
        "RTX 3090x2, RTX 3090, 2",
        "2x RTX 4090, RTX 4090, 2",
        "RTX 3090, RTX 3090, 1",
        "H100 80GB SXM x8, H100 SXM 80GB, 8"
    })
    void countsFollowTheName(String written, String name, int count) {
        AcceleratorCatalog.Selection selection = CATALOG.select(written);
        assertThat(selection.accelerator().name()).isEqualTo(name);
        assertThat(selection.count()).isEqualTo(count);
    }

    @Test
    void aCardKnownByItsSizeAloneIsTakenWithAWarning() {
        AcceleratorCatalog.Selection selection = CATALOG.select("24GB NVIDIA (WSL2)");
        assertThat(selection.accelerator().memoryBytes()).isBetween(22L << 30, 24L << 30);
        assertThat(selection.warnings()).singleElement().asString().contains("names no card");
    }

    @Test
    void mixedCardsArePlannedOnTheSmallest() {
        AcceleratorCatalog.Selection selection = CATALOG.select("RTX 5090 + RTX 3090");
        assertThat(selection.accelerator().name()).isEqualTo("RTX 3090");
        assertThat(selection.count()).isEqualTo(2);
        assertThat(selection.warnings()).singleElement().asString().contains("smallest, RTX 3090");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unnamed", "RTX 9999", "", "RTX", "x2"})
    void unknownCardsAreRefusedInOneLine(String written) {
        assertThatThrownBy(() -> CATALOG.select(written))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'" + (written.equals("x2") ? "x2" : written) + "'")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void ambiguousNamesListTheirCandidates() {
        assertThatThrownBy(() -> CATALOG.find("A100"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(" or ");
    }

    @Test
    void readsWhatTheDriverLists() {
        assertThat(NvidiaSmi.parse(List.of("NVIDIA GeForce RTX 3090, 24576", "junk", "NVIDIA GB10, [N/A]")))
                .containsExactly(
                        new NvidiaSmi.Card("NVIDIA GeForce RTX 3090", 24576), new NvidiaSmi.Card("NVIDIA GB10", 0));
    }
}
