/**
 * Discrete-event simulation of a serving engine: requests arrive, a {@link dev.kvcast.simulate.Scheduler} decides what
 * each step runs exactly as the engine would, and a {@link dev.kvcast.simulate.StepClock} says how long the step takes.
 * Requests are rows of primitive columns; nothing is allocated per event. No files, no terminal.
 */
@NullMarked
package dev.kvcast.simulate;

import org.jspecify.annotations.NullMarked;
