/** Fits the planner's coefficients to what real engines printed and measured. */
@NullMarked
package dev.kvcast.validator.fit;

import org.jspecify.annotations.NullMarked;
