/**
 * What a KV pool can hold: block demand of context x concurrency cells, verdicts, largest contexts and concurrencies,
 * advice on flags, and pruned benchmark plans. Pure arithmetic over {@link dev.kvcast.engine.BootPlan}.
 */
@NullMarked
package dev.kvcast.capacity;

import org.jspecify.annotations.NullMarked;
