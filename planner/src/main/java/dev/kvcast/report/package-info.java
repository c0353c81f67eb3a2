/**
 * How results look: tables for people, JSON, CSV and Markdown for scripts and pages. Everything here turns values into
 * text and nothing decides; the same input gives the same bytes in every locale and on every Java version. Colour is
 * carried beside the text of a cell, never inside it, so that widths and other formats do not see it.
 */
@NullMarked
package dev.kvcast.report;

import org.jspecify.annotations.NullMarked;
