package dev.kvcast.validator.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.cli.CliOption;
import dev.kvcast.cli.ExitCode;
import dev.kvcast.cli.Invocation;
import dev.kvcast.cli.Verb;
import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.model.InputException;
import dev.kvcast.validator.fit.MemoryRefit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast refit memory}: fits vLLM's non-KV memory to public boots, with its errors. */
final class RefitVerb implements Verb {

    private final CliOption<Path> data =
            CliOption.path("--data", "DIR", "Folder of boots (default: data/startups of the checkout).");
    private final CliOption<Path> out = CliOption.path("--out", "FILE", "Write the coefficients there.");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description("Fits the memory that is neither weights nor KV cache to public boots of vLLM, and prints"
                        + " the errors in sample, leaving models out and leaving cards out.")
                .customSynopsis("kvcast refit memory [--data DIR] [--out FILE]");
        spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .arity("1")
                .paramLabel("memory")
                .type(String.class)
                .description("What to fit.")
                .build());
        spec.addOption(data.spec()).addOption(out.spec());
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) {
        String what = arguments.matchedPositionalValue(0, "");
        if (!what.equals("memory")) {
            throw InputException.badInput("refit knows 'memory', not '" + what + "'");
        }
        MemoryCoefficients start = MemoryCoefficientsFile.packaged();
        MemoryRefit.Result result = MemoryRefit.run(data.in(arguments).orElse(Path.of("data", "startups")), start);
        String json = json(result);
        PrintWriter writer = invocation.terminal().out();
        writer.println(json);
        result.report().forEach(writer::println);
        out.in(arguments).ifPresent(file -> AtomicFile.write(file, json + "\n"));
        return ExitCode.OK;
    }

    private static String json(MemoryRefit.Result result) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("schema", 1);
        file.put("what", "factors of vLLM's non-KV memory, fitted on the boots in data/startups");
        file.put("refit", "kvcast refit memory --out data/calibrations/vllm-memory.json");
        file.putAll(MemoryCoefficientsFile.sections(result.coefficients()));
        file.put("errors", result.errors());
        file.put("runs", List.copyOf(result.rows()));
        try {
            return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
