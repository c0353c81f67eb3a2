package dev.kvcast.engine.vllm.io;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code data/calibrations/vllm-memory.json}. */
public final class MemoryCoefficientsFile {

    private static final String RESOURCE = "/data/calibrations/vllm-memory.json";

    private static final int SCHEMA = 1;

    private static final List<String> ACTIVATION = List.of(
            "dense_layer",
            "expert_layer",
            "hyper_layer",
            "encoder",
            "logit_bytes_unsampled",
            "logit_bytes_native",
            "logit_bytes_fused",
            "logit_bytes_plain",
            "logit_bytes_rejection",
            "hidden_copies_second_runner");

    private static final List<String> GRAPHS = List.of("first_runner", "second_runner");

    private static final List<String> OTHER = List.of(
            "base",
            "tensor_parallel",
            "tensor_parallel_linked",
            "experts",
            "speculative",
            "delta_net_bytes",
            "unified",
            "rocm",
            "xpu");

    private static final List<String> SPREAD = List.of(
            "base_gib",
            "activation_share",
            "graph_share",
            "known_weight_share",
            "unknown_weight_share",
            "unnamed_weight_share",
            "tensor_parallel_gib",
            "unified_gib",
            "delta_net_gib",
            "hyper_gib",
            "multimodal_gib",
            "speculative_gib",
            "unknown_draft_gib",
            "unstated_layer_share",
            "unstated_gib",
            "factor");

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

    /** The sections that {@link #read} takes, in order. */
    public static Map<String, Object> sections(MemoryCoefficients coefficients) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("activation", fields(coefficients.activation(), ACTIVATION));
        json.put("graphs", fields(coefficients.graphs(), GRAPHS));
        json.put("other_gib", fields(coefficients.other(), OTHER));
        json.put("spread", fields(coefficients.spread(), SPREAD));
        return json;
    }

    private static Map<String, Object> fields(Record section, List<String> names) {
        Map<String, Object> json = new LinkedHashMap<>();
        RecordComponent[] components = section.getClass().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            try {
                json.put(names.get(i), components[i].getAccessor().invoke(section));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return json;
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
