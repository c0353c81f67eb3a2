package dev.kvcast.engine.vllm;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Flags that set the memory budget of one rank ({@code config/cache.py}, {@code config/offload.py}).
 *
 * @param utilization {@code --gpu-memory-utilization}, above 0 and at most 1
 * @param kvCacheBytes {@code --kv-cache-memory-bytes}, which replaces the budget
 * @param blocksOverride {@code --num-gpu-blocks-override}
 * @param cpuOffloadGib {@code --cpu-offload-gb}, GiB of weights kept in host memory
 * @param kvOffloadGib {@code --kv-offloading-size}, GiB of host memory for evicted blocks, all tensor-parallel ranks together
 * @param multimodalGib {@code --mm-ipc-gpu-memory-gb}, GiB of device memory for the front end
 * @param sleepMode {@code --enable-sleep-mode}
 */
public record MemoryOptions(
        OptionalDouble utilization,
        OptionalLong kvCacheBytes,
        OptionalLong blocksOverride,
        double cpuOffloadGib,
        double kvOffloadGib,
        double multimodalGib,
        boolean sleepMode) {}
