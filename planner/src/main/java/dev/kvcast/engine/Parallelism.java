package dev.kvcast.engine;

/**
 * How ranks divide a model.
 *
 * @param tensor tensor-parallel ranks
 * @param pipeline pipeline stages
 * @param data independent replicas
 * @param expertParallel whether whole experts go to ranks
 * @param decodeContext ranks that share one sequence's cache by tokens
 */
public record Parallelism(int tensor, int pipeline, int data, boolean expertParallel, int decodeContext) {

    /** One rank. */
    public static final Parallelism SINGLE = new Parallelism(1, 1, 1, false, 1);

    /** Accelerators needed. */
    public int worldSize() {
        return Math.multiplyExact(Math.multiplyExact(tensor, pipeline), data);
    }
}
