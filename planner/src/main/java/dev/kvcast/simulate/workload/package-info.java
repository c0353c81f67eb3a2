/**
 * Requests to simulate: arrival processes, length distributions, conversations with growing prefixes, and recorded
 * traces. A seed gives the same requests, bit for bit, on every platform.
 */
@NullMarked
package dev.kvcast.simulate.workload;

import org.jspecify.annotations.NullMarked;
