package dev.kvcast.model.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.model.Component;
import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Placement;
import dev.kvcast.model.WeightBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The bytes that each {@code weights.json} states are what its {@code config.json} comes to. */
class CatalogComponentsTest {

    @Test
    void componentBytesAgreeWithTheConfig() throws IOException {
        ModelCatalog catalog = ModelCatalog.packaged();
        int checked = 0;
        for (String id : catalog.ids()) {
            Object stated = weights(id).get("component_bytes");
            if (stated instanceof Map<?, ?> bytes) {
                assertThat(bytes).as(id).isEqualTo(computed(catalog, id));
                checked++;
            } else {
                assertThat(refused(catalog, id))
                        .as(id + " has no component_bytes")
                        .isTrue();
            }
        }
        assertThat(checked).isGreaterThanOrEqualTo(350);
    }

    private static boolean refused(ModelCatalog catalog, String id) {
        try {
            catalog.find(id);
            return false;
        } catch (InputException e) {
            return true;
        }
    }

    private static Map<String, Object> computed(ModelCatalog catalog, String id) {
        ModelConfig model = catalog.find(id).model();
        WeightBytes bytes = WeightBytes.of(model, Placement.tensor(1).withDraft(true));
        Map<String, Object> result = new LinkedHashMap<>();
        for (Component component : Component.values()) {
            long held = bytes.of(component);
            if (component.inCheckpoint() && held > 0) {
                result.put(component.label(), held <= Integer.MAX_VALUE ? (Object) (int) held : (Object) held);
            }
        }
        return result;
    }

    private static Map<String, Object> weights(String id) throws IOException {
        String path = "/models/" + id + "/weights.json";
        try (InputStream in = Objects.requireNonNull(CatalogComponentsTest.class.getResourceAsStream(path), path)) {
            return JsonSource.parse(in, path);
        }
    }
}
