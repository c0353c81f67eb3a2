package dev.kvcast.report;

import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.MemoryPlan;
import dev.kvcast.engine.MemoryTerm;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.Matrix;
import dev.kvcast.report.Table.Column;
import dev.kvcast.throughput.CellSpeed;
import dev.kvcast.throughput.Forecast;
import java.util.Optional;

/** Plans as flat tables for CSV and Markdown: one row a fact or a cell, full numbers. */
public final class PlanTable {

    private static final double MILLIS = 1000;

    private PlanTable() {}

    /** One row of facts. */
    public static Table fit(Fit fit) {
        BootPlan plan = fit.plan();
        MemoryPlan memory = plan.memory();
        return Table.builder(
                        Column.words("model"),
                        Column.words("gpu"),
                        Column.numbers("gpu_count"),
                        Column.words("engine"),
                        Column.words("engine_version"),
                        Column.words("verdict"),
                        Column.numbers("weights_bytes"),
                        Column.numbers("kv_pool_bytes"),
                        Column.numbers("num_blocks"),
                        Column.numbers("block_size"),
                        Column.numbers("tokens"),
                        Column.numbers("tokens_low"),
                        Column.numbers("tokens_high"),
                        Column.numbers("max_concurrency"))
                .row(
                        fit.scenario().model().id(),
                        fit.scenario().accelerator().name(),
                        String.valueOf(fit.scenario().accelerators()),
                        plan.engine(),
                        plan.version(),
                        fit.verdict().label(),
                        String.valueOf(memory.bytes(MemoryTerm.Kind.WEIGHTS)),
                        String.valueOf(memory.kvPool().value()),
                        String.valueOf(plan.pool().blocks()),
                        String.valueOf(plan.pool().blockSize()),
                        String.valueOf(plan.pool().tokens()),
                        String.valueOf(plan.pool().tokensLow()),
                        String.valueOf(plan.pool().tokensHigh()),
                        Units.fixed(plan.pool().maxConcurrency(), 4))
                .build();
    }

    /** One row a cell. */
    public static Table cells(Matrix matrix) {
        Table.Builder table = Table.builder(
                Column.numbers("context"),
                Column.numbers("concurrency"),
                Column.numbers("output"),
                Column.words("verdict"),
                Column.numbers("needed_blocks"),
                Column.numbers("needed_tokens"),
                Column.numbers("decode_tok_s"),
                Column.numbers("decode_tok_s_low"),
                Column.numbers("decode_tok_s_high"),
                Column.numbers("itl_ms"),
                Column.numbers("ttft_ms"),
                Column.words("reason"));
        for (Matrix.Cell judged : matrix.cells()) {
            CellCapacity cell = judged.capacity();
            Optional<CellSpeed> speed = judged.speed();
            Optional<Forecast> rate = speed.map(CellSpeed::tokensPerSecond);
            table.row(
                    String.valueOf(cell.cell().contextTokens()),
                    String.valueOf(cell.cell().concurrency()),
                    String.valueOf(cell.cell().outputTokens()),
                    cell.verdict().label(),
                    String.valueOf(cell.neededBlocks()),
                    String.valueOf(cell.neededTokens()),
                    number(rate.map(Forecast::value)),
                    number(rate.map(Forecast::low)),
                    number(rate.map(Forecast::high)),
                    number(speed.map(known -> known.interTokenSeconds().value() * MILLIS)),
                    number(speed.map(known -> known.firstTokenSeconds().value() * MILLIS)),
                    cell.reason());
        }
        return table.build();
    }

    private static String number(Optional<Double> value) {
        return value.map(known -> Units.fixed(known, 2)).orElse("");
    }
}
