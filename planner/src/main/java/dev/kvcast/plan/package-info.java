/**
 * The library's front door: a {@link dev.kvcast.plan.PlanRequest} as a person or a script writes it becomes a
 * {@link dev.kvcast.plan.Fit} or a {@link dev.kvcast.plan.Matrix}. Everything printed is one of these two.
 */
@NullMarked
package dev.kvcast.plan;

import org.jspecify.annotations.NullMarked;
