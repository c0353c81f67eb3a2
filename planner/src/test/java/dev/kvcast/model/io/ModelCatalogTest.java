package dev.kvcast.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvcast.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelCatalogTest {

    private final ModelCatalog catalog = ModelCatalog.packaged();

    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-8B, Qwen/Qwen3-8B, none",
        "qwen/qwen3-8b, Qwen/Qwen3-8B, none",
        "qwen3-8b, Qwen/Qwen3-8B, none",
        "Qwen3 8B, Qwen/Qwen3-8B, none",
        "Qwen3.6-27B-FP8, Qwen/Qwen3.6-27B-FP8, fp8-block",
        "Qwen3.6-27B-AWQ-INT4, cyankiwi/Qwen3.6-27B-AWQ-INT4, awq",
        "someone/Llama-3.1-8B-Instruct-quantized.w4a16, someone/Llama-3.1-8B-Instruct-quantized.w4a16, quantized.w4a16",
        "someone/Qwen3-32B-NVFP4A16, someone/Qwen3-32B-NVFP4A16, nvfp4a16",
        "someone/Qwen3-32B-int4-AutoRound, someone/Qwen3-32B-int4-AutoRound, int4-autoround",
        "someone/Qwen3-32B-bnb-4bit, someone/Qwen3-32B-bnb-4bit, bnb-4bit",
        "someone/Qwen3-32B-exl3-3.5bpw, someone/Qwen3-32B-exl3-3.5bpw, exl3",
        "Llama-3.1-8B-Instruct-Q4_K_M.gguf, Llama-3.1-8B-Instruct-Q4_K_M.gguf, gguf",
    })
    void findsModelsByTheNamesPeopleWrite(String name, String id, String method) {
        ModelCatalog.Found found = catalog.find(name);
        assertThat(found.model().id()).isEqualTo(id);
        assertThat(found.model().quantization().method()).isEqualTo(method);
    }

    @Test
    void saysWhatItAssumed() {
        assertThat(catalog.find("someone/Qwen3-32B-NVFP4A16").warnings())
                .singleElement()
                .asString()
                .contains("Qwen/Qwen3-32B");
        assertThat(catalog.find("Qwen/Qwen3-8B").warnings()).isEmpty();
    }

    @Test
    void suggestsNearMisses() {
        InputException e = catchThrowableOfType(InputException.class, () -> catalog.find("Qwen3-9B"));
        assertThat(e.code()).isEqualTo(InputException.Code.UNKNOWN_MODEL);
        assertThat(e.getMessage()).contains("did you mean").contains("Qwen/Qwen3-8B");
    }

    @Test
    void listsCandidatesOfAnAmbiguousName(@TempDir Path folder) throws IOException {
        for (String owner : new String[] {"one", "two"}) {
            Path home = Files.createDirectories(folder.resolve(owner).resolve("Twin-1B"));
            Files.copy(Path.of("..", "models", "Qwen", "Qwen3-0.6B", "config.json"), home.resolve("config.json"));
        }
        ModelCatalog own = ModelCatalog.withFolder(folder);
        InputException e = catchThrowableOfType(InputException.class, () -> own.find("twin-1b"));
        assertThat(e.getMessage()).contains("ambiguous").contains("one/Twin-1B").contains("two/Twin-1B");
        assertThat(own.find("two/Twin-1B").model().layers()).hasSize(28);
        assertThat(own.find("Qwen/Qwen3-8B").model().layers()).hasSize(36);
    }

    @ParameterizedTest
    @CsvSource({"../../etc/passwd", "/etc", "Qwen/../Qwen/Qwen3-8B", "''", "Qwen//Qwen3-8B"})
    void doesNotLeaveTheCatalogue(String name) {
        assertThat(catchThrowableOfType(InputException.class, () -> catalog.find(name)))
                .isNotNull();
    }

    @Test
    void checkpointRowsResolve() {
        List<String> names = catalog.checkpointNames();
        for (int row = 0; row < names.size(); row += 5) {
            String id = names.get(row);
            try {
                assertThat(catalog.find(id).model().weights()).isNotEmpty();
            } catch (InputException e) {
                // Some architectures and GGUF mixtures are not modelled; nothing else may go wrong.
                assertThat(e.code()).as(id + ": " + e.getMessage()).isNotEqualTo(InputException.Code.BAD_INPUT);
            }
        }
    }
}
