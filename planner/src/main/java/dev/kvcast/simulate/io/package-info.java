/** Readers of request traces, and writers of what a run gave: the only part of the simulator that touches files. */
@NullMarked
package dev.kvcast.simulate.io;

import org.jspecify.annotations.NullMarked;
