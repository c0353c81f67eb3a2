/**
 * Reads a Hugging Face {@code config.json}, already parsed into maps and lists, into a {@link
 * dev.kvcast.model.ModelConfig}. {@link dev.kvcast.model.config.Architectures} is the table of architectures; each
 * {@link dev.kvcast.model.config.ArchitectureFamily} knows the layers and tensors of one kind of model.
 */
@NullMarked
package dev.kvcast.model.config;

import org.jspecify.annotations.NullMarked;
