/** Accelerators: what a card reports, moves and computes. */
@NullMarked
package dev.kvcast.hardware;

import org.jspecify.annotations.NullMarked;
