package dev.kvcast.model.io;

import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.config.ConfigReader;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Models of a hub: their config, and exact bytes from ranged reads of the safetensors headers. */
public final class HubModels {

    /** Bytes read first; enough for most headers in one request. */
    private static final int FIRST_READ = 1 << 20;

    private static final String INDEX = "model.safetensors.index.json";
    private static final String SINGLE = "model.safetensors";

    private final HubClient client;

    /** Models read through a client. */
    public HubModels(HubClient client) {
        this.client = client;
    }

    /**
     * The model of a hub id.
     *
     * @throws InputException when the hub has no such model or its config cannot be read
     */
    public ModelConfig model(String id) {
        Map<String, Object> config = json(id, "config.json")
                .orElseThrow(() -> InputException.unknownModel(
                        "the hub has no config.json for \"" + id + "\"; check the name at the hub"));
        if (!config.containsKey("quantization_config")) {
            Optional<Map<String, Object>> separate = json(id, "hf_quant_config.json");
            if (separate.isPresent()) {
                config = new LinkedHashMap<>(config);
                config.put("hf_quant_config", separate.get());
            }
        }
        return ConfigReader.read(id, config);
    }

    /** Exact bytes of the checkpoint, and warnings about an index that contradicts them. */
    public Optional<CheckpointBytes> checkpoint(String id, List<String> warnings) {
        Map<String, Object> index = json(id, INDEX).orElse(Map.of());
        Set<String> shards = index.isEmpty() ? Set.of(SINGLE) : ModelFolder.shards(index, INDEX + " of " + id);
        List<SafetensorsHeader> headers = new ArrayList<>();
        for (String shard : shards) {
            Optional<SafetensorsHeader> header = header(id, shard);
            if (header.isEmpty()) {
                return Optional.empty();
            }
            headers.add(header.get());
        }
        CheckpointBytes bytes = CheckpointBytes.of(headers);
        ModelFolder.warnAboutTotal(index, bytes, INDEX + " of " + id).ifPresent(warnings::add);
        return Optional.of(bytes);
    }

    private Optional<SafetensorsHeader> header(String id, String shard) {
        Optional<HubClient.Head> first = client.head(id, shard, FIRST_READ);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        String name = shard + " of " + id;
        long fileSize = first.get().fileSize();
        byte[] bytes = first.get().bytes();
        byte[] prefix = Arrays.copyOf(bytes, Math.min(bytes.length, SafetensorsHeader.LENGTH_BYTES));
        int end = SafetensorsHeader.LENGTH_BYTES + SafetensorsHeader.length(prefix, fileSize, name);
        if (end > bytes.length) {
            bytes = client.head(id, shard, end).map(HubClient.Head::bytes).orElse(bytes);
        }
        return Optional.of(SafetensorsHeader.parse(
                Arrays.copyOfRange(bytes, SafetensorsHeader.LENGTH_BYTES, end), fileSize, name));
    }

    private Optional<Map<String, Object>> json(String id, String file) {
        return client.file(id, file)
                .map(bytes -> JsonSource.parse(new ByteArrayInputStream(bytes), file + " of " + id));
    }
}
