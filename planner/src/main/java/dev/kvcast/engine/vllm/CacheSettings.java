package dev.kvcast.engine.vllm;

import dev.kvcast.model.DataType;
import dev.kvcast.model.DecoderLayer;
import java.util.List;
import java.util.Optional;

/**
 * Settings that shape a layer's page.
 *
 * @param tensorParallel ranks that divide heads
 * @param dtype KV-cache element type, {@code auto} resolved
 * @param modelDtype type of activations, for layers that stay unquantized and for convolution states
 * @param blockSize block size asked for, or the backend's preferred one
 * @param convOverride {@code --mamba-cache-dtype}
 * @param recurrentOverride {@code --mamba-ssm-cache-dtype}
 * @param stateMode snapshots kept of recurrent states
 * @param speculativeTokens draft tokens per step
 * @param draftLayers caching layers of whatever drafts
 * @param encoderTokens most encoder tokens of one request
 */
record CacheSettings(
        int tensorParallel,
        KvCacheDtype dtype,
        DataType modelDtype,
        int blockSize,
        Optional<DataType> convOverride,
        Optional<DataType> recurrentOverride,
        KvLayout.StateMode stateMode,
        int speculativeTokens,
        List<DecoderLayer> draftLayers,
        long encoderTokens) {

    /** Copies the list. */
    CacheSettings {
        draftLayers = List.copyOf(draftLayers);
    }
}
