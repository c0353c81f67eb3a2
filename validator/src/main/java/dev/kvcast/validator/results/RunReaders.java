package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads result files of every known tool, told apart by their content: {@code kvcast} runs, llm-inference-bench,
 * {@code vllm bench serve} and {@code sweep}, SGLang's {@code bench_serving}, guidellm, AIPerf and genai-perf,
 * inference-perf, InferenceX, llama-bench, llama-batched-bench and llama-benchy.
 */
public final class RunReaders {

    private static final List<RunReader> READERS = List.of(
            new OwnRunReader(),
            new LlmInferenceBenchReader(),
            new ServeBenchReader(ServeBenchReader.Dialect.SGLANG),
            new ServeBenchReader(ServeBenchReader.Dialect.VLLM),
            new GuidellmReader(),
            new LlamaBenchyReader(),
            new AiperfReader(),
            new AiperfRecordsReader(),
            new InferencePerfReader(),
            new InferencexReader(),
            new LlamaBenchReader(),
            new LlamaBatchedBenchReader());

    private RunReaders() {}

    /**
     * The run in a file of at most 1 GiB.
     *
     * @throws InputException for a file that cannot be read, is no known tool's, or lacks a field; the message names the
     *     file and the field
     */
    public static MeasuredRun read(Path file) {
        try (Documents documents = Documents.open(file)) {
            return read(documents);
        }
    }

    /**
     * The run in a stream, which is closed.
     *
     * @param name shown in messages
     * @throws InputException as {@link #read(Path)}
     */
    public static MeasuredRun read(String name, InputStream stream) {
        try (Documents documents = Documents.of(name, stream)) {
            return read(documents);
        }
    }

    private static MeasuredRun read(Documents documents) {
        Fields first = documents
                .peek()
                .orElseThrow(() ->
                        InputException.badInput(documents.name() + " is empty; give a tool's JSON or JSONL results"));
        for (RunReader reader : READERS) {
            if (reader.recognizes(first)) {
                MeasuredRun run = reader.read(documents);
                if (run.cells().isEmpty()) {
                    throw InputException.badInput(documents.name() + " (" + reader.tool() + ") holds no measured cell");
                }
                return run;
            }
        }
        if (first.hasAll("schema", "kv", "cells")) {
            throw InputException.badInput(documents.name() + " is a prediction of kvcast; give a measured run");
        }
        throw InputException.badInput(documents.name() + " is no result file of a known tool; expected one of "
                + String.join(
                        ", ", READERS.stream().map(RunReader::tool).distinct().toList()));
    }
}
