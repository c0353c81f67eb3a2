/**
 * What a model is: the typed view of its {@code config.json}, its layers, its weights and how they are quantized, in
 * exact counts of parameters and bytes. Nothing here knows an engine, an accelerator or a file; readers of files and
 * hubs live in {@code dev.kvcast.model.io}. Sizes are checked when a record is built, so a value that exists is a value
 * that can be computed with; what cannot be understood is an {@link dev.kvcast.model.InputException}, never a guess.
 */
@NullMarked
package dev.kvcast.model;

import org.jspecify.annotations.NullMarked;
