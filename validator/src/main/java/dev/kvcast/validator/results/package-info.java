/**
 * Measured runs: what a benchmark saw, read from the result files of a dozen tools, checked, and written in kvcast's own
 * form and in those that others read. A file is told by what stands in it, never by its name; what a tool does not say
 * stays empty, and what was left out or assumed is told in {@link dev.kvcast.validator.results.MeasuredRun#notes()}.
 */
@NullMarked
package dev.kvcast.validator.results;

import org.jspecify.annotations.NullMarked;
