package dev.kvcast.report;

import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.BenchmarkPlan;
import dev.kvcast.plan.BenchmarkPlan.Step;
import dev.kvcast.plan.Fit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A benchmark plan as a shell script of one tool's own commands. Flags are those of llm-inference-bench 0.7, vLLM 0.32's
 * {@code bench serve}, GuideLLM 0.7 and llama-benchy 0.4.
 */
public final class BenchmarkScript {

    private BenchmarkScript() {}

    /** The tools that a plan can be written for. */
    public enum Tool {
        LLM_INFERENCE_BENCH("llm-inference-bench"),
        VLLM_BENCH_SERVE("vllm-bench-serve"),
        GUIDELLM("guidellm"),
        LLAMA_BENCHY("llama-benchy");

        private final String label;

        Tool(String label) {
            this.label = label;
        }

        /** The name used on the command line. */
        public String label() {
            return label;
        }

        /**
         * The tool of that name.
         *
         * @throws InputException for any other name
         */
        public static Tool parse(String name) {
            String key = name.toLowerCase(Locale.ROOT).replace(' ', '-');
            List<String> labels = new ArrayList<>();
            for (Tool tool : values()) {
                labels.add(tool.label);
                if (tool.label.equals(key)) {
                    return tool;
                }
            }
            throw InputException.badInput("--prune '" + name + "' is unknown; use " + String.join(", ", labels));
        }
    }

    /**
     * Where and how the cells are measured.
     *
     * @param seconds measuring time of one cell
     * @param model model name as the server serves it
     */
    public record Settings(long seconds, String model) {}

    /** The script; comments say what was left out and why. */
    public static String render(BenchmarkPlan plan, Fit fit, Tool tool, Settings settings) {
        StringBuilder script = new StringBuilder("#!/bin/sh\n");
        // A line break in a name would end the comment, and the rest would run.
        script.append("# ")
                .append(fit.scenario().model().id().replaceAll("\\p{Cntrl}", "?"))
                .append(" on ");
        script.append(fit.scenario().accelerator().name())
                .append(": ")
                .append(plan.cells())
                .append(" cells, about ");
        script.append(Units.duration(plan.seconds()))
                .append("; ")
                .append(plan.skipped().size());
        script.append(" cells over capacity left out\n");
        for (CellCapacity cell : plan.skipped()) {
            script.append("#   ")
                    .append(Units.tokens(cell.cell().contextTokens()))
                    .append(" x ");
            script.append(cell.cell().concurrency())
                    .append(": ")
                    .append(cell.reason())
                    .append('\n');
        }
        script.append("set -e\nBASE_URL=${BASE_URL:-http://127.0.0.1:8000}\nMODEL=${MODEL:-")
                .append(quoted(settings.model()))
                .append("}\n");
        boolean tight = false;
        for (Step step : plan.steps()) {
            if (step.verdict() == Verdict.TIGHT && !tight) {
                tight = true;
                script.append("# These may queue or preempt: they do not fit at full output.\n");
            }
            for (String line : commands(step, tool, settings)) {
                script.append(line).append('\n');
            }
        }
        return script.toString();
    }

    private static List<String> commands(Step step, Tool tool, Settings settings) {
        return switch (tool) {
            case LLM_INFERENCE_BENCH -> List.of(decodeBench(step, settings));
            case LLAMA_BENCHY -> List.of(benchy(step));
            case VLLM_BENCH_SERVE -> each(step, concurrency -> bench(step, concurrency));
            case GUIDELLM -> each(step, concurrency -> guide(step, concurrency, settings));
        };
    }

    private static List<String> each(Step step, java.util.function.IntFunction<String> command) {
        return step.concurrencies().stream().map(command::apply).toList();
    }

    private static String decodeBench(Step step, Settings settings) {
        return "python3 llm_decode_bench.py --host \"$BASE_URL\" --model \"$MODEL\" --contexts " + step.contextTokens()
                + " --concurrency " + joined(step, ",") + " --duration " + settings.seconds() + " --max-tokens "
                + step.outputTokens() + " --display-mode plain --output decode-" + step.contextTokens()
                + (step.verdict() == Verdict.TIGHT ? "-tight" : "") + ".json";
    }

    /** Twice as many prompts as streams, so that every stream is refilled once. */
    private static String bench(Step step, int concurrency) {
        return "vllm bench serve --base-url \"$BASE_URL\" --model \"$MODEL\" --dataset-name random --random-prefix-len "
                + step.contextTokens() + " --random-input-len 16 --random-output-len " + step.outputTokens()
                + " --ignore-eos --max-concurrency " + concurrency + " --num-prompts " + 2 * concurrency
                + " --save-result --result-filename serve-" + step.contextTokens() + "-" + concurrency + ".json";
    }

    private static String guide(Step step, int concurrency, Settings settings) {
        return "guidellm benchmark --target \"$BASE_URL\" --model \"$MODEL\" --rate-type concurrent --rate "
                + concurrency
                + " --max-seconds " + settings.seconds() + " --data 'prompt_tokens="
                + Math.max(1, step.contextTokens()) + ",output_tokens=" + step.outputTokens()
                + "' --output-path guidellm-" + step.contextTokens() + "-" + concurrency + ".json";
    }

    private static String benchy(Step step) {
        return "llama-benchy --base-url \"$BASE_URL/v1\" --model \"$MODEL\" --pp 512 --tg 512 --depth "
                + step.contextTokens() + " --concurrency " + joined(step, " ")
                + " --runs 3 --latency-mode generation --format json --save-result benchy-" + step.contextTokens()
                + (step.verdict() == Verdict.TIGHT ? "-tight" : "") + ".json";
    }

    private static String joined(Step step, String separator) {
        return String.join(
                separator, step.concurrencies().stream().map(String::valueOf).toList());
    }

    /** Text inside double quotes or a default value of the shell, without anything the shell would expand. */
    private static String quoted(String text) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = Character.isLetterOrDigit(c) || "._-/:@+".indexOf(c) >= 0;
            safe.append(plain ? c : '_');
        }
        return safe.toString();
    }
}
