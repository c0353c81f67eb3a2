package dev.kvcast.plan;

/**
 * A change of the launch line that was planned and found to help.
 *
 * @param change what to do, as flags where possible
 * @param rescues whether it turns a refused boot into one that starts
 * @param tokens KV-cache tokens with the change, as the engine would print them
 * @param gain those tokens over today's, 0 where today's boot fails
 * @param caveat what it costs, empty where nothing
 */
public record Recommendation(String change, boolean rescues, long tokens, double gain, String caveat) {}
