/**
 * How long an engine's steps take, from the bytes they move and the operations they do. {@link
 * dev.kvcast.throughput.DeploymentWork} counts both for one deployment, {@link dev.kvcast.throughput.StepTime} turns them
 * into seconds with fitted {@link dev.kvcast.throughput.Coefficients}, and {@link dev.kvcast.throughput.SpeedModel} answers
 * in tokens per second with 90% intervals. Everything is per rank unless said otherwise.
 */
@NullMarked
package dev.kvcast.throughput;

import org.jspecify.annotations.NullMarked;
