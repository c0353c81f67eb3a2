package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.util.List;
import java.util.Optional;

/**
 * One option of {@code vllm serve}, as {@code vllm-flags.csv} lists it.
 *
 * @param name long name without dashes, words joined with {@code -}
 * @param aliases other spellings without dashes; short ones such as {@code tp} are used with one dash
 * @param kind what value it takes
 * @param effect what it changes that kvcast predicts
 * @param since first release that has it, where a rule depends on it
 * @param until first release that no longer has it
 */
public record VllmFlag(
        String name,
        List<String> aliases,
        Kind kind,
        Effect effect,
        Optional<VllmVersion> since,
        Optional<VllmVersion> until) {

    /** What follows the flag. */
    public enum Kind {
        /** Nothing; {@code --no-} turns it off. */
        BOOLEAN,
        /** Nothing, and no {@code --no-} form. */
        SWITCH,
        INT,
        FLOAT,
        /** An integer that may end in k, m, g, t (decimal) or K, M, G, T (binary). */
        SIZE,
        STRING,
        /** A JSON object; parts may be given as {@code --flag.key value}. */
        JSON,
        /** One or more words. */
        LIST,
        /** One word or none. */
        OPTIONAL;

        /** Whether the flag stands alone. */
        public boolean standsAlone() {
            return this == BOOLEAN || this == SWITCH;
        }
    }

    /** What a flag can change. */
    public enum Effect {
        MEMORY,
        SCHEDULE,
        SPEED,
        NONE
    }

    /** Copies the list. */
    public VllmFlag {
        aliases = List.copyOf(aliases);
    }

    /** The flag as written on a command line. */
    public String dashed() {
        return "--" + name;
    }

    /** The complaint that this flag's value is not what it expects. */
    InputException refuse(String value, String expected) {
        return InputException.badInput(dashed() + " is '" + Printable.shortened(value) + "'; expected " + expected);
    }
}
