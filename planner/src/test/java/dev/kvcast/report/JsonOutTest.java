package dev.kvcast.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonOutTest {

    private static final JsonObject OBJECT = new JsonObject()
            .put("schema", 1)
            .putOptional("id", Optional.empty())
            .put("model", "a\"b\n")
            .put("ok", true)
            .put("memory", new JsonObject().put("total_bytes", 25_250_627_584L))
            .put("empty", new JsonObject())
            .put("max_concurrency", 2.5)
            .put("advice", List.of())
            .put("groups", List.of(new JsonObject().put("kind", "full"), new JsonObject().put("kind", "sliding")))
            .put("cells", List.of(List.of(16_384, 8L, 0.5)));

    @Test
    void prettyKeepsTheOrder() {
        assertThat(JsonOut.pretty(OBJECT)).isEqualTo("""
                        {
                          "schema": 1,
                          "id": null,
                          "model": "a\\"b\\n",
                          "ok": true,
                          "memory": {
                            "total_bytes": 25250627584
                          },
                          "empty": {},
                          "max_concurrency": 2.5,
                          "advice": [],
                          "groups": [ {
                            "kind": "full"
                          }, {
                            "kind": "sliding"
                          } ],
                          "cells": [ [ 16384, 8, 0.5 ] ]
                        }
                        """);
    }

    @Test
    void compactIsOneLine() {
        assertThat(JsonOut.compact(OBJECT))
                .isEqualTo("{\"schema\":1,\"id\":null,\"model\":\"a\\\"b\\n\",\"ok\":true,"
                        + "\"memory\":{\"total_bytes\":25250627584},\"empty\":{},\"max_concurrency\":2.5,\"advice\":[],"
                        + "\"groups\":[{\"kind\":\"full\"},{\"kind\":\"sliding\"}],\"cells\":[[16384,8,0.5]]}\n");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0.0",
        "1e10,10000000000",
        "1e-7,0.0000001",
        "0.1,0.1",
        "2e-44,0.00000000000000000000000000000000000000000002"
    })
    void numbersHaveNoExponent(double value, String text) {
        assertThat(JsonOut.plain(value)).isEqualTo(text);
        assertThat(Double.parseDouble(JsonOut.plain(value))).isEqualTo(value);
    }

    @Test
    void theLocaleDoesNotShow() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat(JsonOut.compact(new JsonObject().put("x", 1.5).put("n", 12)))
                    .isEqualTo("{\"x\":1.5,\"n\":12}\n");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void notANumberIsRefused() {
        assertThatThrownBy(() -> new JsonObject().put("x", Double.NaN)).hasMessageContaining("x is NaN");
        assertThatThrownBy(() -> JsonOut.compact(new JsonObject().put("x", List.of(Double.POSITIVE_INFINITY))))
                .hasMessageContaining("finite");
    }
}
