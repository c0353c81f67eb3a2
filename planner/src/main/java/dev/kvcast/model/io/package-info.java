/**
 * Where models come from: folders, files, the packaged catalogue and a hub. Everything that touches a disk or a network
 * is here; what is read ends in a {@link dev.kvcast.model.ModelConfig}.
 */
@NullMarked
package dev.kvcast.model.io;

import org.jspecify.annotations.NullMarked;
