package dev.kvcast.validator.results;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** One small file in the form of each tool; all but the seed hold made-up numbers that agree with each other. */
final class Samples {

    /** The measured matrix that the project started from. */
    static final String SEED = "/data/runs/agents-a1-4b-rtx-3090.json";

    static final List<String> NAMES = List.of(
            "own.json",
            "llm-inference-bench.json",
            "llm-inference-bench-march-2026.json",
            "vllm-bench-serve.json",
            "vllm-bench-sweep-summary.json",
            "sglang-bench-serving.jsonl",
            "guidellm.json",
            "aiperf.json",
            "genai-perf.json",
            "aiperf-records.jsonl",
            "inference-perf.json",
            "llama-benchy.json",
            "inferencex.json",
            "llama-bench.json",
            "llama-bench.jsonl",
            "llama-bench-old.json",
            "llama-batched-bench.jsonl",
            "llama-batched-bench-shared.jsonl");

    private Samples() {}

    static byte[] bytes(String name) {
        try (InputStream stream = Samples.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(stream, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    static MeasuredRun read(String name) {
        return RunReaders.read(name, new ByteArrayInputStream(bytes(name)));
    }

    static MeasuredRun parse(String text) {
        return RunReaders.read("run.json", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
