package dev.kvcast.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a {@code docker run} line up to and including the image.
 *
 * @param engine engine whose image it is
 * @param version engine version in the image tag
 * @param environment variables set with {@code -e}
 * @param gpus GPUs it is limited to
 * @param arguments words after the image
 * @param bareArguments whether those words are the engine's own flags rather than a command
 */
record ContainerPrefix(
        Optional<String> engine,
        Optional<String> version,
        Map<String, String> environment,
        Optional<Integer> gpus,
        List<String> arguments,
        boolean bareArguments) {

    /** Options of {@code docker run} and {@code podman run} without a value. */
    private static final Set<String> SWITCHES = Set.of(
            "--detach",
            "--interactive",
            "--tty",
            "--rm",
            "--privileged",
            "--init",
            "--read-only",
            "--no-healthcheck",
            "--publish-all",
            "--oom-kill-disable",
            "--quiet",
            "--replace",
            "--no-hosts",
            "--tls-verify",
            "--build",
            "--service-ports",
            "--no-deps");

    /** Reads the words after {@code docker}; empty when they run no container. */
    static Optional<ContainerPrefix> read(List<String> words, int start) {
        int at = start;
        while (at < words.size()
                && !words.get(at).equals("run")
                && !words.get(at).equals("exec")) {
            at++;
        }
        return at >= words.size() ? Optional.empty() : new Reader(words, at + 1).read();
    }

    /** Walks over the options. */
    private static final class Reader {

        private final List<String> words;
        private final Map<String, String> environment = new LinkedHashMap<>();
        private Optional<Integer> gpus = Optional.empty();
        private Optional<String> entrypoint = Optional.empty();
        private int devices;
        private int at;

        Reader(List<String> words, int at) {
            this.words = words;
            this.at = at;
        }

        Optional<ContainerPrefix> read() {
            while (at < words.size() && words.get(at).startsWith("-")) {
                option(words.get(at++));
            }
            if (at >= words.size()) {
                return Optional.empty();
            }
            String image = words.get(at++);
            List<String> rest = new ArrayList<>(words.subList(at, words.size()));
            entrypoint.ifPresent(program -> rest.add(0, program));
            Optional<String> engine = Image.engine(image);
            boolean bare = entrypoint.isEmpty() && (rest.isEmpty() || isArgument(rest.get(0)));
            Optional<Integer> count = gpus.isEmpty() && devices > 0 ? Optional.of(devices) : gpus;
            return Optional.of(new ContainerPrefix(
                    engine, Image.version(image), environment, count, rest, bare && engine.isPresent()));
        }

        private static boolean isArgument(String word) {
            boolean path = word.indexOf('/') > 0 && !word.startsWith("/") && !word.endsWith("vllm");
            return word.startsWith("-") || path;
        }

        private void option(String word) {
            int equals = word.indexOf('=');
            if (word.startsWith("--")) {
                String name = equals < 0 ? word : word.substring(0, equals);
                if (equals >= 0) {
                    apply(name, word.substring(equals + 1));
                } else if (!SWITCHES.contains(name)) {
                    apply(name, next());
                }
            } else if (word.startsWith("-e") && word.length() > 2) {
                apply("--env", word.substring(2));
            } else if (takesValue(word)) {
                apply(word.equals("-e") ? "--env" : word, next());
            }
        }

        /** Short options: {@code -d}, {@code -it} and the like stand alone, {@code -p8000:8000} carries its value. */
        private static boolean takesValue(String word) {
            for (int i = 1; i < word.length(); i++) {
                if ("ditPq".indexOf(word.charAt(i)) < 0) {
                    return i == word.length() - 1;
                }
            }
            return false;
        }

        private String next() {
            return at < words.size() ? words.get(at++) : "";
        }

        private void apply(String name, String value) {
            switch (name) {
                case "--env" -> {
                    int equals = Assignments.nameLength(value);
                    if (equals > 0) {
                        environment.put(value.substring(0, equals), value.substring(equals + 1));
                    }
                }
                case "--gpus" -> gpus = Gpus.docker(value);
                case "--device" -> devices += value.startsWith("nvidia.com/gpu=") && !value.endsWith("=all") ? 1 : 0;
                case "--entrypoint" -> entrypoint = value.isEmpty() ? Optional.empty() : Optional.of(value);
                default -> {}
            }
        }
    }

    /** What an image name says. */
    private static final class Image {

        private Image() {}

        static Optional<String> engine(String image) {
            String name = image.toLowerCase(java.util.Locale.ROOT);
            if (name.contains("vllm")) {
                return Optional.of("vllm");
            }
            if (name.contains("sglang")) {
                return Optional.of("sglang");
            }
            return name.contains("llama.cpp") || name.contains("llama-server")
                    ? Optional.of("llama.cpp")
                    : Optional.empty();
        }

        /** {@code vllm/vllm-openai:v0.32.0-x86_64} is 0.32.0; tags of other numbering say nothing. */
        static Optional<String> version(String image) {
            int digest = image.indexOf('@');
            String name = digest < 0 ? image : image.substring(0, digest);
            int colon = name.lastIndexOf(':');
            if (colon < name.lastIndexOf('/') || colon < 0) {
                return Optional.empty();
            }
            String tag = name.substring(colon + 1);
            if (tag.startsWith("nightly")) {
                return Optional.of("nightly");
            }
            String number = tag.startsWith("v") ? tag.substring(1) : tag;
            if (number.startsWith("0.")) {
                int dash = number.indexOf('-');
                return Optional.of(dash < 0 ? number : number.substring(0, dash));
            }
            int build = tag.lastIndexOf("-b") + 1;
            boolean llama = build > 0 && build + 1 < tag.length() && Character.isDigit(tag.charAt(build + 1));
            return llama ? Optional.of(tag.substring(build)) : Optional.empty();
        }
    }
}
