/** Fits the planner's coefficients to measurements, and says which measurement would help most. */
@NullMarked
package dev.kvcast.validator.fit;

import org.jspecify.annotations.NullMarked;
