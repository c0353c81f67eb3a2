/** Readers of coefficient files. */
@NullMarked
package dev.kvcast.throughput.io;

import org.jspecify.annotations.NullMarked;
