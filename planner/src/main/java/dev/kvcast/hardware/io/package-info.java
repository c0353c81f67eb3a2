/** Where accelerators come from: the packaged table, and {@code nvidia-smi} on the machine. */
@NullMarked
package dev.kvcast.hardware.io;

import org.jspecify.annotations.NullMarked;
