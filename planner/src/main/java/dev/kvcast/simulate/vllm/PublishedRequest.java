package dev.kvcast.simulate.vllm;

/** What a group must know of the request whose blocks it publishes; one instance, refilled. */
final class PublishedRequest {

    /** Prompt tokens. */
    int prompt;
    /** Where a shared prefix was found to end, 0 for nowhere. */
    int junction;
    /** Tokens computed before this step. */
    int computed;
}
