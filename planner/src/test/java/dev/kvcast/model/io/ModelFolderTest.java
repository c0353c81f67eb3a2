package dev.kvcast.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.model.Component;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFolderTest {

    private static final String INDEX = "model.safetensors.index.json";

    @TempDir
    Path folder;

    @BeforeEach
    void writeConfig() throws IOException {
        Files.copy(Path.of("..", "models", "Qwen", "Qwen3-0.6B", "config.json"), folder.resolve("config.json"));
    }

    private void writeShard(String name, String tensor) throws IOException {
        SafetensorsHeaderTest.write(
                folder.resolve(name),
                "{\"" + tensor + "\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[0,8]}}",
                8);
    }

    @Test
    void readsAConfigAlone() {
        ModelFolder.Contents contents = ModelFolder.read(folder);
        assertThat(contents.model().layers()).hasSize(28);
        assertThat(contents.checkpoint()).isEmpty();
        assertThat(ModelFolder.read(folder.resolve("config.json")).model().layers())
                .hasSize(28);
    }

    @Test
    void believesHeadersAndNotAnIndexThatLies() throws IOException {
        writeShard("a.safetensors", "model.embed_tokens.weight");
        writeShard("b.safetensors", "model.visual.blocks.0.attn.qkv.weight");
        Files.writeString(
                folder.resolve(INDEX),
                "{\"metadata\":{\"total_size\":960},\"weight_map\":{\"x\":\"a.safetensors\",\"y\":\"b.safetensors\"}}");
        ModelFolder.Contents contents = ModelFolder.read(folder);
        CheckpointBytes bytes = contents.checkpoint().orElseThrow();
        assertThat(bytes.total()).isEqualTo(16);
        assertThat(bytes.byComponent()).containsEntry(Component.EMBEDDING, 8L).containsEntry(Component.VISION, 8L);
        assertThat(contents.warnings())
                .singleElement()
                .asString()
                .contains("960")
                .contains("16");
    }

    @Test
    void refusesAMissingShard() throws IOException {
        Files.writeString(folder.resolve(INDEX), "{\"weight_map\":{\"x\":\"gone.safetensors\"}}");
        assertThatThrownBy(() -> ModelFolder.read(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("gone.safetensors");
    }

    @Test
    void refusesAnIndexThatLeavesTheFolder() throws IOException {
        Files.writeString(folder.resolve(INDEX), "{\"weight_map\":{\"x\":\"../../etc/x.safetensors\"}}");
        assertThatThrownBy(() -> ModelFolder.read(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("../../etc/x.safetensors");
    }
}
