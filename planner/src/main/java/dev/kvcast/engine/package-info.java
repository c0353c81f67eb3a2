/** Serving engines in general: scenarios, memory plans, KV pools and the rules that say how many blocks a request holds. */
@NullMarked
package dev.kvcast.engine;

import org.jspecify.annotations.NullMarked;
