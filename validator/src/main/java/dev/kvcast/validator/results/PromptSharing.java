package dev.kvcast.validator.results;

import java.util.Locale;

/** Whether the requests of a cell have their prompts in common, which makes their attention cheaper. */
public enum PromptSharing {
    /** All requests of a cell share one prompt, as llm-inference-bench's do. */
    SHARED,
    /** Every request has a prompt of its own. */
    DISTINCT,
    /** The file does not say. */
    UNKNOWN;

    /** The word used in files. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The meaning of a word in a file; anything unknown is {@link #UNKNOWN}. */
    static PromptSharing parse(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "shared", "shared_prefix" -> SHARED;
            case "distinct" -> DISTINCT;
            default -> UNKNOWN;
        };
    }
}
