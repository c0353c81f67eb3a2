package dev.kvcast.simulate;

/**
 * What the API server adds before and after the engine, as a client sees it.
 *
 * @param requestSeconds from the client's request to the engine's queue
 * @param secondsPerPromptToken the same, per prompt token (tokenization)
 * @param outputSeconds from a sampled token to the client
 */
public record Frontend(double requestSeconds, double secondsPerPromptToken, double outputSeconds) {

    /** Times as the engine itself takes them. */
    public static final Frontend NONE = new Frontend(0, 0, 0);

    /** Seconds before a request reaches the engine. */
    public double delaySeconds(int promptTokens) {
        return requestSeconds + secondsPerPromptToken * promptTokens;
    }
}
