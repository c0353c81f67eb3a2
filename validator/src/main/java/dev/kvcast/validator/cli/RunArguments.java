package dev.kvcast.validator.cli;

import dev.kvcast.cli.ScenarioDefaults;
import dev.kvcast.validator.results.MeasuredRun;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The result files that a verb takes, and what they say of the deployment. */
final class RunArguments {

    private final PositionalParamSpec files;

    private RunArguments(PositionalParamSpec files) {
        this.files = files;
    }

    /** One file. */
    static RunArguments one() {
        return new RunArguments(described("1"));
    }

    /** Any number of files. */
    static RunArguments any() {
        return new RunArguments(described("0..*"));
    }

    private static PositionalParamSpec described(String arity) {
        return PositionalParamSpec.builder()
                .paramLabel("RUN")
                .arity(arity)
                .required(arity.equals("1"))
                .index(arity.equals("1") ? "0" : "0..*")
                .type(List.class)
                .auxiliaryTypes(Path.class)
                .description("Result file of a benchmark: kvcast's own form, llm-inference-bench, vllm bench serve, "
                        + "SGLang bench_serving, guidellm, AIPerf, llama-bench, llama-batched-bench and others.")
                .build();
    }

    void addTo(CommandSpec spec) {
        spec.addPositional(files);
    }

    /** The files, in the order typed. */
    List<Path> in(ParseResult arguments) {
        List<Path> typed = arguments.matchedPositionals().isEmpty()
                ? List.of()
                : arguments.matchedPositionals().get(0).getValue();
        return List.copyOf(typed);
    }

    /** What a run says of its deployment. */
    static ScenarioDefaults defaults(MeasuredRun run) {
        return new ScenarioDefaults(
                run.launchCommand(),
                run.model(),
                run.engine().name(),
                run.engine().version(),
                run.hardware().gpu(),
                run.hardware().gpuCount());
    }
}
