package dev.kvcast.model;

import dev.kvcast.model.config.ConfigReader;
import dev.kvcast.model.io.JsonSource;
import dev.kvcast.model.io.ModelCatalog;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/** Models for tests. */
public final class TestModels {

    private TestModels() {}

    /** A catalogued model. */
    public static ModelConfig find(String name) {
        return ModelCatalog.packaged().find(name).model();
    }

    /** A model from JSON text. */
    public static ModelConfig parse(String json) {
        return ConfigReader.read(
                "test/model",
                JsonSource.parse(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), "config.json"));
    }
}
