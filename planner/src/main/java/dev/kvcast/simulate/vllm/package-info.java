/**
 * vLLM's V1 scheduler and KV-cache bookkeeping, decision for decision, as of vLLM 0.32.0. Every rule names the file of
 * vLLM it follows; recorded traces of the real scheduler are replayed against it in the tests.
 */
@NullMarked
package dev.kvcast.simulate.vllm;

import org.jspecify.annotations.NullMarked;
