package dev.kvcast.engine;

import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a user's launch line: pasted shell text (quotes, continuations, comments, small scripts) or words already split.
 * Environment assignments, wrappers ({@code sudo}, {@code nohup}, {@code uv run}, ...) and container prefixes
 * ({@code docker run ... IMAGE}) are taken off; the flags themselves are not interpreted. Values of credentials are
 * dropped here and never kept.
 */
public final class LaunchLine {

    private static final List<String> ENGINE_WORDS =
            List.of("vllm", "sglang", "sglang.launch_server", "llama-server", "vllm.entrypoints.openai.api_server");

    private LaunchLine() {}

    /**
     * Reads words as a shell would pass them. A single word that contains blanks is read as shell text.
     *
     * @throws InputException when the words start no engine kvcast knows
     */
    public static LaunchCommand parse(List<String> words) {
        if (words.isEmpty()) {
            throw InputException.badInput("the launch line is empty; expected for example: vllm serve MODEL");
        }
        if (words.size() == 1 && hasBlank(words.get(0))) {
            return parse(words.get(0));
        }
        return new CommandReader().read(words, 0).orElseThrow(() -> noEngine(String.join(" ", words)));
    }

    /**
     * Reads shell text, in which the first command that starts an engine counts.
     *
     * @throws InputException for unbalanced quotes, and when no command starts an engine kvcast knows
     */
    public static LaunchCommand parse(String text) {
        String line = withoutComposeKey(text.strip());
        if (line.isEmpty()) {
            throw InputException.badInput("the launch line is empty; expected for example: vllm serve MODEL");
        }
        Optional<LaunchCommand> command = firstEngine(ShellScript.commands(line));
        if (command.isEmpty()) {
            command = commented(line);
        }
        return command.orElseThrow(() -> noEngine(line));
    }

    /** The first of several commands that starts an engine; assignments before it apply to it. */
    static Optional<LaunchCommand> firstEngine(List<List<String>> commands) {
        CommandReader reader = new CommandReader();
        for (List<String> words : commands) {
            Optional<LaunchCommand> command = reader.read(words, 0);
            if (command.isPresent()) {
                return command;
            }
        }
        return Optional.empty();
    }

    /** A comment whose line breaks were lost swallows the command behind it. */
    private static Optional<LaunchCommand> commented(String line) {
        if (!line.startsWith("#") || line.indexOf('\n') >= 0) {
            return Optional.empty();
        }
        List<List<String>> commands = ShellScript.commands(line.substring(1));
        for (List<String> words : commands) {
            for (int start = 0; start < words.size(); start++) {
                boolean engine = ENGINE_WORDS.contains(words.get(start));
                if (engine && start + 2 < words.size()) {
                    Optional<LaunchCommand> command =
                            new CommandReader().read(new ArrayList<>(words.subList(start, words.size())), 0);
                    if (command.isPresent()) {
                        return command;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** {@code command: ...} of a compose file, as a line, a folded block or a list. */
    private static String withoutComposeKey(String text) {
        String line = text;
        if (line.startsWith("command:") || line.startsWith("entrypoint:")) {
            line = line.substring(line.indexOf(':') + 1).strip();
            while (!line.isEmpty() && (line.charAt(0) == '>' || line.charAt(0) == '|')) {
                line = line.substring(1).strip();
            }
            line = line.replace('\n', ' ');
        }
        if (line.startsWith("- ")) {
            line = yamlItems(line);
        }
        return line.startsWith("[") && line.endsWith("]")
                ? line.substring(1, line.length() - 1).replace("\",", "\" ").replace("',", "' ")
                : line;
    }

    private static String yamlItems(String text) {
        StringBuilder words = new StringBuilder();
        for (String item : text.replace(" - ", "\n- ").split("\n", -1)) {
            String value = item.strip();
            words.append(value.startsWith("- ") ? value.substring(2) : value).append(' ');
        }
        return words.toString();
    }

    private static boolean hasBlank(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (Character.isWhitespace(word.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static InputException noEngine(String line) {
        String shown = line.replace('\n', ' ').replace('\r', ' ');
        if (shown.length() > 60) {
            shown = shown.substring(0, 60) + "...";
        }
        return InputException.badInput("no engine command in \"" + shown
                + "\"; expected vllm serve MODEL ..., python -m sglang.launch_server ... or llama-server ...");
    }
}
