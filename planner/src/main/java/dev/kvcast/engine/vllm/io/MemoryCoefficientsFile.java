package dev.kvcast.engine.vllm.io;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Reads {@code data/calibrations/vllm-memory.json}. */
public final class MemoryCoefficientsFile {

    private static final String RESOURCE = "/data/calibrations/vllm-memory.json";

    private static final int SCHEMA = 1;

    private MemoryCoefficientsFile() {}

    /** The packaged coefficients. */
    public static MemoryCoefficients packaged() {
        try (InputStream in = MemoryCoefficientsFile.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the jar");
            }
            return read(JSON.std.mapFrom(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Coefficients from parsed JSON.
     *
     * @throws InputException for another schema or a missing field
     */
    public static MemoryCoefficients read(Map<String, Object> json) {
        if (!(json.get("schema") instanceof Number schema) || schema.intValue() != SCHEMA) {
            throw InputException.badInput("memory coefficients of schema " + json.get("schema") + "; expected " + SCHEMA
                    + ", refit them with this version");
        }
        Section activation = section(json, "activation");
        Section graphs = section(json, "graphs");
        return new MemoryCoefficients(
                new MemoryCoefficients.Activation(
                        activation.number("dense_layer"),
                        activation.number("expert_layer"),
                        activation.number("hyper_layer"),
                        activation.number("encoder"),
                        activation.number("logit_bytes_unsampled"),
                        activation.number("logit_bytes_native"),
                        activation.number("logit_bytes_fused"),
                        activation.number("logit_bytes_plain"),
                        activation.number("logit_bytes_rejection"),
                        activation.number("hidden_copies_second_runner")),
                new MemoryCoefficients.Graphs(graphs.number("first_runner"), graphs.number("second_runner")),
                other(section(json, "other_gib")),
                spread(section(json, "spread")));
    }

    private static MemoryCoefficients.Other other(Section section) {
        return new MemoryCoefficients.Other(
                section.number("base"),
                section.number("tensor_parallel"),
                section.number("tensor_parallel_linked"),
                section.number("experts"),
                section.number("speculative"),
                section.number("delta_net_bytes"),
                section.number("unified"),
                section.number("rocm"),
                section.number("xpu"));
    }

    private static MemoryCoefficients.Spread spread(Section section) {
        return new MemoryCoefficients.Spread(
                section.number("base_gib"),
                section.number("activation_share"),
                section.number("graph_share"),
                section.number("known_weight_share"),
                section.number("unknown_weight_share"),
                section.number("unnamed_weight_share"),
                section.number("tensor_parallel_gib"),
                section.number("unified_gib"),
                section.number("delta_net_gib"),
                section.number("hyper_gib"),
                section.number("multimodal_gib"),
                section.number("speculative_gib"),
                section.number("unknown_draft_gib"),
                section.number("unstated_layer_share"),
                section.number("unstated_gib"),
                section.number("factor"));
    }

    private static Section section(Map<String, Object> json, String name) {
        if (json.get(name) instanceof Map<?, ?> fields) {
            return new Section(name, fields);
        }
        throw InputException.badInput("memory coefficients lack \"" + name + "\"");
    }

    private record Section(String name, Map<?, ?> fields) {
        double number(String field) {
            if (fields.get(field) instanceof Number number && Double.isFinite(number.doubleValue())) {
                return number.doubleValue();
            }
            throw InputException.badInput("memory coefficients lack the number \"" + name + "." + field + "\"");
        }
    }
}
