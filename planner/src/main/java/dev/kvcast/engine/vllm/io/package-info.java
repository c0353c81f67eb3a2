/** Where vLLM's fitted coefficients are kept. */
@NullMarked
package dev.kvcast.engine.vllm.io;

import org.jspecify.annotations.NullMarked;
