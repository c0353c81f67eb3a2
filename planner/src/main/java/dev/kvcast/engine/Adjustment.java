package dev.kvcast.engine;

/**
 * A change of the launch line worth trying.
 *
 * @param change what to do, as flags where possible, for example {@code --gpu-memory-utilization 0.95}
 * @param caveat what it costs, empty where nothing
 * @param scenario the scenario with the change applied
 */
public record Adjustment(String change, String caveat, Scenario scenario) {}
