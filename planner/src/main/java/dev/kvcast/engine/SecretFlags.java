package dev.kvcast.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Flags whose values are credentials. */
final class SecretFlags {

    private static final Set<String> NAMES =
            Set.of("--api-key", "--admin-api-key", "--hf-token", "-hft", "--ssl-keyfile-password", "--api-keys");

    private SecretFlags() {}

    /** The arguments without those flags and their values. */
    static List<String> removed(List<String> arguments) {
        List<String> kept = new ArrayList<>(arguments.size());
        boolean dropping = false;
        for (String argument : arguments) {
            if (argument.startsWith("-")) {
                int equals = argument.indexOf('=');
                String name = (equals < 0 ? argument : argument.substring(0, equals)).replace('_', '-');
                boolean secret = NAMES.contains(name);
                dropping = secret && equals < 0;
                if (!secret) {
                    kept.add(argument);
                }
            } else if (dropping) {
                dropping = false;
            } else {
                kept.add(argument);
            }
        }
        return kept;
    }
}
