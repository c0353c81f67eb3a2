package dev.kvcast.cli;

import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.SkipRule;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.BenchmarkPlan;
import dev.kvcast.plan.Matrix;
import dev.kvcast.plan.MatrixRequest;
import dev.kvcast.plan.Planner;
import dev.kvcast.report.BenchmarkScript;
import dev.kvcast.report.Csv;
import dev.kvcast.report.JsonOut;
import dev.kvcast.report.Markdown;
import dev.kvcast.report.MatrixText;
import dev.kvcast.report.PlanJson;
import dev.kvcast.report.PlanTable;
import dev.kvcast.report.PlanText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast matrix}: the context x concurrency table. */
final class MatrixVerb implements Verb {

    private static final List<Long> CONTEXTS = List.of(0L, 16384L, 32768L, 65536L, 131072L);
    private static final List<Long> CONCURRENCIES = List.of(1L, 2L, 4L, 8L, 16L, 32L);
    private static final List<Long> PREFILLS = List.of(8192L, 16384L, 32768L, 65536L, 131072L);
    private static final long OUTPUT_TOKENS = 8192;
    private static final long DURATION_SECONDS = 30;

    private final ScenarioOptions scenario = new ScenarioOptions();
    private final SharedOptions shared = new SharedOptions();
    private final CliOption<List<Long>> contexts =
            CliOption.tokenList("--contexts", "LIST", "Prompt tokens of the rows (default: 0,16K,32K,64K,128K).");
    private final CliOption<List<Long>> concurrencies =
            CliOption.tokenList("--concurrency", "LIST", "Requests at once of the columns (default: 1,2,4,8,16,32).");
    private final CliOption<Long> output =
            CliOption.tokens("--output-tokens", "N", "Most tokens each request generates (default: 8K).");
    private final CliOption<List<Long>> prefills =
            CliOption.tokenList("--prefill-contexts", "LIST", "Prompt lengths of the prefill table.");
    private final CliOption<Boolean> distinct =
            CliOption.flag("--no-shared-prefix", "Requests of a cell have nothing in common.");
    private final CliOption<Boolean> sharedPrefix =
            CliOption.flag("--shared-prefix", "Requests of a cell share their context, as benchmarks' do (default).");
    private final CliOption<String> skipRule =
            CliOption.text("--skip-rule", "RULE", "Cells a benchmark skips: llm-inference-bench (default) or none.");
    private final CliOption<Boolean> intervals = CliOption.flag("--intervals", "Show the 90%% interval of each speed.");
    private final CliOption<String> prune = CliOption.text(
            "--prune",
            "TOOL",
            "Write a shell script that measures the cells that fit, with llm-inference-bench, vllm-bench-serve, "
                    + "guidellm or llama-benchy.");
    private final CliOption<Long> seconds =
            CliOption.number("--duration", "SECONDS", "Measuring time of one cell in that script (default: 30).");
    private final CliOption<Path> batch =
            CliOption.path("--batch", "FILE.jsonl", "One scenario a line in, one answer a line out ('-': stdin).");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description("Which context x concurrency cells fit, and how fast each one is.")
                .customSynopsis("kvcast matrix [options] [-- ENGINE COMMAND]")
                .footer("", "Exit code: 0 the engine starts, 1 it does not, 2 bad input, 3 unknown model or GPU.");
        scenario.addTo(spec);
        spec.addOption(contexts.spec())
                .addOption(concurrencies.spec())
                .addOption(output.spec())
                .addOption(prefills.spec())
                .addOption(sharedPrefix.spec())
                .addOption(distinct.spec())
                .addOption(skipRule.spec())
                .addOption(intervals.spec())
                .addOption(prune.spec())
                .addOption(seconds.spec())
                .addOption(batch.spec());
        shared.addTo(spec);
        return spec;
    }

    @Override
    public boolean takesEngineCommand() {
        return true;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) {
        Planner planner = Planners.over(scenario.models(arguments, invocation), scenario.speeds(arguments));
        PrintWriter out = invocation.terminal().out();
        Optional<Path> file = batch.in(arguments);
        if (file.isPresent()) {
            return Batch.run(
                    file.get(),
                    out,
                    line -> JsonOut.compact(
                            PlanJson.matrix(planner.matrix(BatchScenario.read(line), BatchScenario.cells(line)))));
        }
        Matrix matrix = planner.matrix(scenario.request(arguments, invocation), request(arguments));
        SharedOptions.Choice choice = shared.in(arguments, invocation.terminal());
        Optional<String> tool = prune.in(arguments);
        out.print(
                tool.isPresent()
                        ? script(matrix, BenchmarkScript.Tool.parse(tool.get()), arguments)
                        : rendered(matrix, choice, CliOption.isOn(intervals, arguments)));
        Notes.warnings(invocation.terminal(), choice, matrix.fit().warnings());
        Notes.warnings(invocation.terminal(), choice, tooLong(matrix));
        return matrix.fit().verdict() == Verdict.OVER ? ExitCode.OVER : ExitCode.OK;
    }

    /** A table full of {@code over} that only the length causes says so. */
    private static List<String> tooLong(Matrix matrix) {
        long limit = matrix.fit().plan().limits().maxModelLen();
        List<Cell> late = matrix.cells().stream()
                .map(cell -> cell.capacity().cell())
                .filter(cell -> cell.contextTokens() <= limit && cell.contextTokens() + cell.outputTokens() > limit)
                .toList();
        return late.isEmpty()
                ? List.of()
                : List.of(late.size() + " cells are over only because context and output of "
                        + late.get(0).outputTokens() + " tokens exceed max_model_len " + limit
                        + "; --output-tokens asks for less");
    }

    private String script(Matrix matrix, BenchmarkScript.Tool tool, ParseResult arguments) {
        long perCell = seconds.in(arguments).orElse(DURATION_SECONDS);
        if (perCell < 1) {
            throw InputException.badInput("--duration is " + perCell + "; expected at least one second");
        }
        return BenchmarkScript.render(
                BenchmarkPlan.of(matrix, perCell),
                matrix.fit(),
                tool,
                new BenchmarkScript.Settings(
                        perCell, matrix.fit().scenario().model().id()));
    }

    private static String rendered(Matrix matrix, SharedOptions.Choice choice, boolean withIntervals) {
        MatrixText text = new MatrixText(matrix, withIntervals);
        return switch (choice.format()) {
            case TABLE -> PlanText.headline(matrix.fit(), choice.style()) + "\n" + text.render(choice.style());
            case JSON -> JsonOut.pretty(PlanJson.matrix(matrix));
            case CSV -> Csv.render(PlanTable.cells(matrix));
            case MD -> Markdown.render(text.grid());
        };
    }

    private static int concurrency(long requests) {
        if (requests > Integer.MAX_VALUE) {
            throw InputException.badInput("--concurrency has " + requests + "; expected fewer than 2^31 requests");
        }
        return (int) requests;
    }

    private MatrixRequest request(ParseResult arguments) {
        return MatrixRequest.grid(
                contexts.in(arguments).orElse(CONTEXTS),
                concurrencies.in(arguments).orElse(CONCURRENCIES).stream()
                        .map(MatrixVerb::concurrency)
                        .toList(),
                output.in(arguments).orElse(OUTPUT_TOKENS),
                prefills.in(arguments).orElse(PREFILLS),
                !CliOption.isOn(distinct, arguments),
                skipRule.in(arguments).map(SkipRule::parse).orElse(SkipRule.LLM_INFERENCE_BENCH));
    }
}
