/**
 * A measured run held against its prediction: verdicts and speeds cell by cell, and what the errors have in common. Also
 * what must agree before any of that makes sense: model, card and engine, and the limits of physics.
 */
@NullMarked
package dev.kvcast.validator.compare;

import org.jspecify.annotations.NullMarked;
