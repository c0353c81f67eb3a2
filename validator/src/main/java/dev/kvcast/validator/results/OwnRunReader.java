package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Prefill;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * kvcast's own run form, that of {@code data/runs/*.json}. Rates are tokens per second, latencies milliseconds.
 *
 * <pre>{@code
 * {"source":"...","tool":"NAME VERSION","hardware":{"gpu":"...","gpu_count":1,...},
 *  "engine":{"name":"vllm","version":"...",...},"model":"ORG/NAME","launch_command":"vllm serve ...",
 *  "run":{"measure_s":30,"max_output_tokens":8192,"contexts":[...],"concurrency":[...],"prefill_contexts":[...],
 *         "prompt_sharing":"shared|distinct|unknown","spec_decode":"none"},
 *  "cells":[{"phase":"prefill|decode|mixed","context_tokens":0,"concurrency":1,"status":"valid|over_capacity|failed",
 *            "total_tok_s":0,"per_request_tok_s":0,"ttft_ms":0,"itl_ms":0,"active_requests":0,"completed_requests":0,
 *            "actual_input_tokens":0,"output_tokens":0,"measured_s":0,"reason":"..."}]}
 * }</pre>
 */
final class OwnRunReader implements RunReader {

    private static final Set<String> RUN_FIELDS = Set.of(
            "contexts",
            "concurrency",
            "prefill_contexts",
            "max_output_tokens",
            "measure_s",
            "prompt_sharing",
            "spec_decode");

    @Override
    public String tool() {
        return "kvcast";
    }

    @Override
    public boolean recognizes(Fields first) {
        return first.has("cells") && (first.has("hardware") || first.has("launch_command") || first.has("tool"));
    }

    @Override
    public MeasuredRun read(Documents documents) {
        Fields run = documents.next().orElseThrow();
        if (documents.next().isPresent()) {
            throw InputException.badInput(run.where() + " holds several runs; give one file for each");
        }
        List<MeasuredCell> cells = new ArrayList<>();
        for (Fields cell : run.objects("cells")) {
            cells.add(cell(cell));
        }
        String tool = run.text("tool").orElse("unknown");
        return new MeasuredRun(
                run.text("source").orElse(run.where()),
                tool,
                run.object("hardware").map(OwnRunReader::hardware).orElse(MeasuredRun.Hardware.UNKNOWN),
                run.object("engine").map(OwnRunReader::engine).orElse(MeasuredRun.Engine.UNKNOWN),
                run.text("model"),
                run.text("launch_command"),
                settings(run.object("run").orElse(new Fields(run.where(), Map.of())), tool),
                cells,
                List.of());
    }

    private static MeasuredRun.Hardware hardware(Fields hardware) {
        return new MeasuredRun.Hardware(
                hardware.text("gpu"), hardware.count("gpu_count"), hardware.scalarsExcept(Set.of("gpu", "gpu_count")));
    }

    private static MeasuredRun.Engine engine(Fields engine) {
        return new MeasuredRun.Engine(
                engine.text("name").map(name -> name.toLowerCase(Locale.ROOT)),
                engine.text("version"),
                engine.scalarsExcept(Set.of("name", "version")));
    }

    private static RunSettings settings(Fields run, String tool) {
        PromptSharing sharing = run.text("prompt_sharing")
                .map(PromptSharing::parse)
                // All streams of that benchmark's cells send one prompt.
                .orElse(tool.startsWith(LlmInferenceBenchReader.TOOL) ? PromptSharing.SHARED : PromptSharing.UNKNOWN);
        return new RunSettings(
                run.wholes("contexts"),
                run.wholes("concurrency"),
                run.wholes("prefill_contexts"),
                run.whole("max_output_tokens"),
                run.number("measure_s"),
                sharing,
                run.text("spec_decode").filter(method -> !method.equals("none")),
                run.scalarsExcept(RUN_FIELDS));
    }

    private static MeasuredCell cell(Fields cell) {
        String phase = cell.requiredText("phase");
        long context = cell.requiredWhole("context_tokens");
        OptionalInt written = cell.count("concurrency");
        Status status = status(cell);
        Optional<String> reason = cell.text("reason");
        if (status == Status.VALID && !cell.has("total_tok_s")) {
            throw cell.missing("total_tok_s");
        }
        return switch (phase) {
            case "prefill" -> new Prefill(context, written.orElse(1), status, speed(cell), sample(cell), reason);
            case "decode", "mixed" ->
                new Decode(
                        context,
                        cell.requiredCount("concurrency"),
                        status,
                        window(cell, phase),
                        speed(cell),
                        sample(cell),
                        reason);
            default -> throw cell.wrong("phase", phase, "prefill, decode or mixed");
        };
    }

    private static Status status(Fields cell) {
        String label = cell.requiredText("status");
        for (Status status : Status.values()) {
            if (status.label().equals(label)) {
                return status;
            }
        }
        throw cell.wrong("status", label, "valid, over_capacity or failed");
    }

    private static Window window(Fields cell, String phase) {
        if (phase.equals("decode")) {
            return Window.DECODE;
        }
        return cell.text("kind").orElse("").equals("open_loop") ? Window.OPEN_LOOP : Window.MIXED;
    }

    private static Speed speed(Fields cell) {
        return new Speed(
                cell.number("total_tok_s"),
                cell.number("per_request_tok_s"),
                cell.number("ttft_ms"),
                cell.number("itl_ms"));
    }

    private static Sample sample(Fields cell) {
        return new Sample(
                cell.firstNumber("active_requests", "avg_active"),
                cell.whole("completed_requests"),
                cell.number("actual_input_tokens"),
                cell.has("output_tokens") ? cell.whole("output_tokens") : cell.whole("measured_output_tokens"),
                cell.firstNumber("measured_s", "measured_seconds"));
    }
}
