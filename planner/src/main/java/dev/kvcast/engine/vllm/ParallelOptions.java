package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Parallelism;
import java.util.Optional;

/**
 * Flags that spread a model over devices ({@code config/parallel.py}).
 *
 * @param ranks sizes of every kind
 * @param prefillContext {@code --prefill-context-parallel-size}
 * @param executor {@code --distributed-executor-backend}
 * @param microBatches whether {@code --enable-dbo} or {@code --ubatch-size} split batches in two
 */
public record ParallelOptions(Parallelism ranks, int prefillContext, Optional<String> executor, boolean microBatches) {}
