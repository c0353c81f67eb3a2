package dev.kvcast.engine.vllm;

import dev.kvcast.model.DataType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Flags that shape the KV cache ({@code config/cache.py}).
 *
 * @param blockSize {@code --block-size} in tokens
 * @param dtype {@code --kv-cache-dtype} as given, {@code auto} by default
 * @param skipLayers {@code --kv-cache-dtype-skip-layers}: layer indices or {@code sliding_window}
 * @param prefixCaching {@code --enable-prefix-caching}, empty for the default
 * @param hybridManagerDisabled {@code --disable-hybrid-kv-cache-manager}, empty for the default
 * @param state flags about recurrent states
 * @param prefixMatchUnit {@code --prefix-match-unit} in tokens
 * @param retention {@code --prefix-cache-retention-interval} in tokens
 */
public record CacheOptions(
        OptionalInt blockSize,
        String dtype,
        List<String> skipLayers,
        Optional<Boolean> prefixCaching,
        Optional<Boolean> hybridManagerDisabled,
        StateOptions state,
        OptionalInt prefixMatchUnit,
        Optional<Retention> retention) {

    /** Copies the list. */
    public CacheOptions {
        skipLayers = List.copyOf(skipLayers);
    }

    /**
     * Recurrent states.
     *
     * @param mode {@code --mamba-cache-mode}, empty for the default
     * @param blockSize {@code --mamba-block-size} in tokens
     * @param convDtype {@code --mamba-cache-dtype}, empty for {@code auto}
     * @param recurrentDtype {@code --mamba-ssm-cache-dtype}, empty for {@code auto}
     */
    public record StateOptions(
            Optional<KvLayout.StateMode> mode,
            OptionalInt blockSize,
            Optional<DataType> convDtype,
            Optional<DataType> recurrentDtype) {}

    /** Which states and windows stay cached for later prefix hits. */
    public sealed interface Retention {

        /** At every block boundary. */
        record Dense() implements Retention {}

        /**
         * At replay boundaries, and every {@code tokens} besides.
         *
         * @param tokens distance between checkpoints, 0 for none besides
         */
        record Interval(int tokens) implements Retention {}
    }
}
