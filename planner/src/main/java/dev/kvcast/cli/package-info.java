/**
 * The command line: one thin class a verb, the options they share, exit codes and error lines. A verb turns flags into
 * requests for the packages below, hands what comes back to {@code dev.kvcast.report}, and holds no rules of its own.
 * Data goes to standard output and everything else to standard error; only the class of the verb that was typed is
 * loaded, so that the tool starts in a fraction of a second.
 */
@NullMarked
package dev.kvcast.cli;

import org.jspecify.annotations.NullMarked;
