package dev.kvcast.report;

import dev.kvcast.hardware.Accelerator;
import dev.kvcast.report.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Accelerators as tables and JSON. */
public final class GpuTable {

    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;

    private GpuTable() {}

    /** One row a card. */
    public static Table list(List<Accelerator> cards) {
        Table.Builder table = Table.builder(
                Column.words("gpu"),
                Column.words("vendor"),
                Column.words("architecture"),
                Column.numbers("GB"),
                Column.numbers("reported GiB"),
                Column.numbers("GB/s"),
                Column.numbers("BF16 TFLOPS"),
                Column.numbers("FP8 TFLOPS"));
        for (Accelerator card : cards) {
            table.row(
                    card.name(),
                    card.vendor(),
                    card.architecture(),
                    Units.fixed(card.marketedGigabytes(), 0),
                    Units.fixed((double) card.memoryBytes() / Units.GIB, 2),
                    Units.fixed(card.bandwidthBytesPerSecond() / GIGA, 0),
                    rate(card.compute().bf16()),
                    rate(card.compute().fp8()));
        }
        return table.build();
    }

    /** One row a fact. */
    public static Table facts(Accelerator card) {
        Table.Builder table = Table.builder(Column.words("fact"), Column.words(card.name()));
        table.row("other spellings", String.join(", ", card.aliases()));
        table.row("vendor, architecture", card.vendor() + ", " + card.architecture());
        table.row("compute capability", capability(card));
        table.row("marketed memory", Units.fixed(card.marketedGigabytes(), 0) + " GB");
        table.row(
                "memory the driver reports",
                Units.count(card.memoryBytes()) + " bytes, " + Units.gib(card.memoryBytes())
                        + (card.memoryExact() ? "" : " (estimated)"));
        table.row("memory bandwidth", Units.fixed(card.bandwidthBytesPerSecond() / GIGA, 0) + " GB/s");
        table.row("dense BF16", rate(card.compute().bf16()) + " TFLOPS");
        table.row("dense FP16", rate(card.compute().fp16()) + " TFLOPS");
        table.row("dense FP8", rate(card.compute().fp8()) + " TFLOPS");
        table.row("dense INT8", rate(card.compute().int8()) + " TOPS");
        table.row("dense FP4", rate(card.compute().fp4()) + " TFLOPS");
        table.row("link", card.link() + ", " + Units.fixed(card.linkBytesPerSecond() / GIGA, 0) + " GB/s");
        table.row("shares host memory", card.unifiedMemory() ? "yes" : "no");
        return table.build();
    }

    /** All cards. */
    public static JsonObject json(List<Accelerator> cards) {
        List<JsonObject> list = new ArrayList<>();
        for (Accelerator card : cards) {
            list.add(json(card));
        }
        return new JsonObject().put("schema", PlanJson.SCHEMA).put("gpus", list);
    }

    /** One card. */
    public static JsonObject json(Accelerator card) {
        JsonObject json = new JsonObject()
                .put("name", card.name())
                .put("aliases", card.aliases())
                .put("vendor", card.vendor())
                .put("architecture", card.architecture())
                .put("compute_capability", capability(card))
                .put("memory_marketed_gb", card.marketedGigabytes())
                .put("memory_bytes", card.memoryBytes())
                .put("memory_exact", card.memoryExact())
                .put("bandwidth_bytes_per_s", card.bandwidthBytesPerSecond());
        put(json, "bf16_flops", card.compute().bf16());
        put(json, "fp16_flops", card.compute().fp16());
        put(json, "fp8_flops", card.compute().fp8());
        put(json, "int8_ops", card.compute().int8());
        put(json, "fp4_flops", card.compute().fp4());
        return json.put("link", card.link())
                .put("link_bytes_per_s", card.linkBytesPerSecond())
                .put("unified_memory", card.unifiedMemory());
    }

    private static void put(JsonObject json, String name, OptionalDouble value) {
        if (value.isPresent()) {
            json.put(name, value.getAsDouble());
        } else {
            json.putNull(name);
        }
    }

    private static String capability(Accelerator card) {
        int capability = card.computeCapability();
        return capability == 0 ? "" : capability / 10 + "." + capability % 10;
    }

    private static String rate(OptionalDouble value) {
        if (value.isEmpty()) {
            return "-";
        }
        double tera = value.getAsDouble() / TERA;
        return Units.fixed(tera, tera < 100 ? 1 : 0);
    }
}
