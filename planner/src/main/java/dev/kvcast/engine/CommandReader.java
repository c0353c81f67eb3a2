package dev.kvcast.engine;

import dev.kvcast.model.InputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the engine in one simple command after another; assignments seen on the way are kept for it.
 */
final class CommandReader {

    private static final int DEEPEST_NESTING = 5;

    /** Serving programs of engines that are not modelled; naming them beats "no engine". */
    private static final Map<String, String> OTHER_ENGINES = Map.of(
            "trtllm-serve", "TensorRT-LLM",
            "ollama", "Ollama",
            "text-generation-launcher", "TGI",
            "lmdeploy", "LMDeploy",
            "tritonserver", "Triton");

    /** Wrappers without a value of their own, apart from their options. */
    private static final Set<String> WRAPPERS = Set.of(
            "sudo",
            "nohup",
            "time",
            "exec",
            "setsid",
            "nice",
            "ionice",
            "stdbuf",
            "numactl",
            "command",
            "srun",
            "caffeinate",
            "unbuffer",
            "catchsegv");

    /** Options of wrappers that take the next word. */
    private static final Set<String> WRAPPER_VALUES = Set.of(
            "-n",
            "-u",
            "-c",
            "-C",
            "-g",
            "--user",
            "-k",
            "--signal",
            "-p",
            "--with",
            "--from",
            "--python",
            "--name",
            "--env-file");

    private final Map<String, String> environment = new LinkedHashMap<>();

    /** The engine command that {@code words} start from index {@code start} on, if any. */
    Optional<LaunchCommand> read(List<String> words, int start) {
        return read(words, start, 0);
    }

    private Optional<LaunchCommand> read(List<String> words, int start, int depth) {
        int i = start;
        while (i < words.size()) {
            String word = words.get(i);
            if (Assignments.nameLength(word) > 0) {
                assign(word);
                i++;
            } else if (Assignments.isDeclaration(word) || (word.equals("-c") && startsEngine(words, i + 1))) {
                i++;
            } else if (WRAPPERS.contains(baseName(word))) {
                i = afterOptions(words, i + 1);
            } else {
                return program(words, i, depth);
            }
        }
        return Optional.empty();
    }

    private void assign(String word) {
        int name = Assignments.nameLength(word);
        if (!Assignments.isSecret(word.substring(0, name))) {
            environment.put(word.substring(0, name), word.substring(name + 1));
        }
    }

    private static boolean startsEngine(List<String> words, int at) {
        return at < words.size() && baseName(words.get(at)).equals("vllm");
    }

    /** Index after the options of a wrapper. */
    private static int afterOptions(List<String> words, int start) {
        int i = start;
        while (i < words.size() && words.get(i).startsWith("-")) {
            i += WRAPPER_VALUES.contains(words.get(i)) ? 2 : 1;
        }
        return Math.min(i, words.size());
    }

    private Optional<LaunchCommand> program(List<String> words, int at, int depth) {
        String word = words.get(at);
        String program = baseName(word);
        if (word.startsWith("-")) {
            return Optional.of(engine("vllm", words, at, true));
        }
        if (OTHER_ENGINES.containsKey(program)) {
            throw InputException.unsupported(program + " starts " + OTHER_ENGINES.get(program)
                    + ", which kvcast does not model; expected vllm, sglang or llama-server");
        }
        return switch (program) {
            case "docker", "podman", "nerdctl" -> container(words, at + 1);
            case "bash", "sh", "zsh" -> shell(words, at + 1, depth);
            case "timeout", "taskset", "chrt" -> read(words, afterNumber(words, afterOptions(words, at + 1)), depth);
            case "uv", "uvx", "poetry", "pixi", "conda", "mamba", "micromamba" -> runner(words, at + 1, depth);
            case "vllm" -> vllm(words, at + 1);
            case "sglang" -> Optional.of(engine("sglang", words, afterWord(words, at + 1, "serve"), false));
            case "llama-server", "llama-server.exe", "llama-cli", "llama-bench", "llama-batched-bench" ->
                Optional.of(engine("llama.cpp", words, at + 1, false));
            default -> isPython(program) ? python(words, at + 1) : Optional.empty();
        };
    }

    private Optional<LaunchCommand> vllm(List<String> words, int at) {
        if (at < words.size() && words.get(at).equals("serve")) {
            return Optional.of(engine("vllm", words, at + 1, true));
        }
        if (at >= words.size()) {
            return Optional.empty();
        }
        throw InputException.badInput("'vllm " + words.get(at) + "' does not serve a model; expected vllm serve MODEL");
    }

    private Optional<LaunchCommand> python(List<String> words, int at) {
        int i = at;
        while (i < words.size() && words.get(i).startsWith("-") && !words.get(i).equals("-m")) {
            i += words.get(i).equals("-W") || words.get(i).equals("-X") ? 2 : 1;
        }
        if (i >= words.size()) {
            return Optional.empty();
        }
        boolean module = words.get(i).equals("-m") && i + 1 < words.size();
        String name = module ? words.get(++i) : words.get(i).replace('/', '.');
        if (name.contains("sglang") || name.endsWith("launch_server.py")) {
            return Optional.of(engine("sglang", words, i + 1, false));
        }
        if (name.contains("vllm.entrypoints") || name.endsWith(".vllm") || name.equals("vllm")) {
            return Optional.of(engine("vllm", words, afterWord(words, i + 1, "serve"), true));
        }
        return name.endsWith("llama_cpp.server")
                ? Optional.of(engine("llama.cpp", words, i + 1, false))
                : Optional.empty();
    }

    private Optional<LaunchCommand> shell(List<String> words, int at, int depth) {
        for (int i = at; i + 1 < words.size() && depth < DEEPEST_NESTING; i++) {
            String option = words.get(i);
            if (option.startsWith("-") && option.endsWith("c")) {
                for (List<String> command : ShellScript.commands(words.get(i + 1))) {
                    Optional<LaunchCommand> found = read(command, 0, depth + 1);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** {@code uv run [options] program ...} and its kin. */
    private Optional<LaunchCommand> runner(List<String> words, int at, int depth) {
        int i = afterWord(words, at, "tool");
        i = afterWord(words, i, "run");
        int program = afterOptions(words, i);
        return program < words.size() && depth < DEEPEST_NESTING ? read(words, program, depth + 1) : Optional.empty();
    }

    private Optional<LaunchCommand> container(List<String> words, int at) {
        Optional<ContainerPrefix> prefix = ContainerPrefix.read(words, at);
        if (prefix.isEmpty()) {
            return Optional.empty();
        }
        ContainerPrefix container = prefix.get();
        container.environment().forEach((name, value) -> assign(name + "=" + value));
        List<String> rest = container.arguments();
        Optional<LaunchCommand> command =
                container.bareArguments() ? Optional.empty() : new CommandReader().read(rest, 0);
        if (command.isEmpty() && container.engine().isPresent()) {
            String engine = container.engine().get();
            command = Optional.of(engine(engine, rest, 0, engine.equals("vllm")));
        }
        return command.map(found -> merged(found, container));
    }

    private LaunchCommand merged(LaunchCommand found, ContainerPrefix container) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(found.environment());
        Optional<Integer> gpus = container.gpus().isPresent() ? container.gpus() : Gpus.visible(all);
        Optional<String> version = found.engine().equals(container.engine().orElse(found.engine()))
                ? container.version()
                : Optional.empty();
        return new LaunchCommand(found.engine(), version, found.model(), found.arguments(), all, gpus);
    }

    private LaunchCommand engine(String engine, List<String> words, int at, boolean positionalModel) {
        List<String> arguments = SecretFlags.removed(words.subList(Math.min(at, words.size()), words.size()));
        ModelArgument model = positionalModel ? ModelArgument.positional(arguments) : ModelArgument.flagged(arguments);
        return new LaunchCommand(
                engine, Optional.empty(), model.name(), model.rest(), environment, Gpus.visible(environment));
    }

    private static int afterWord(List<String> words, int at, String word) {
        return at < words.size() && words.get(at).equals(word) ? at + 1 : at;
    }

    private static int afterNumber(List<String> words, int at) {
        boolean number = at < words.size()
                && !words.get(at).isEmpty()
                && Character.isDigit(words.get(at).charAt(0));
        return number ? at + 1 : at;
    }

    private static boolean isPython(String program) {
        return program.startsWith("python") || program.startsWith("pypy");
    }

    private static String baseName(String path) {
        int slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
        return path.substring(slash + 1).toLowerCase(Locale.ROOT);
    }
}
