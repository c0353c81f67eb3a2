/** vLLM's capacity rules, version by version. Every rule names the vLLM source file it follows. */
@NullMarked
package dev.kvcast.engine.vllm;

import org.jspecify.annotations.NullMarked;
