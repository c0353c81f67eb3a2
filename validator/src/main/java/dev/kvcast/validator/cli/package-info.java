/**
 * The full command line: the planner's verbs and those that measure a server, fit coefficients and compare. As in
 * {@code dev.kvcast.cli}, only the verb that was typed is loaded, so the HTTP client and the statistics libraries cost
 * nothing to the verbs that do without them.
 */
@NullMarked
package dev.kvcast.validator.cli;

import org.jspecify.annotations.NullMarked;
