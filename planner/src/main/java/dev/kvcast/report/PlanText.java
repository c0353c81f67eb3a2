package dev.kvcast.report;

import dev.kvcast.capacity.Verdict;
import dev.kvcast.engine.BlockRule;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.EstimatedBytes;
import dev.kvcast.engine.KvGroup;
import dev.kvcast.engine.KvPool;
import dev.kvcast.engine.MemoryPlan;
import dev.kvcast.engine.MemoryTerm;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.Recommendation;
import dev.kvcast.report.Style.Tone;
import dev.kvcast.report.Table.Column;

/** What a person reads: short, aligned, the answer first. */
public final class PlanText {

    private PlanText() {}

    /**
     * The answer to "will this fit".
     *
     * @param why whether to show each component and formula
     */
    public static String fit(Fit fit, Style style, boolean why) {
        StringBuilder text = new StringBuilder(headline(fit, style));
        text.append('\n').append(TextTable.render(memory(fit.plan().memory(), why), style));
        text.append('\n').append(pool(fit.plan()));
        if (why) {
            text.append('\n').append(TextTable.render(groups(fit.plan().pool()), style));
        }
        if (!fit.advice().isEmpty()) {
            text.append('\n')
                    .append(style.paint(Tone.STRONG, "What would help"))
                    .append('\n');
            for (Recommendation recommendation : fit.advice()) {
                text.append("  ").append(advice(recommendation)).append('\n');
            }
        }
        return text.toString();
    }

    /** Lines such as {@code --kv-cache-dtype fp8: 2.0x the tokens, 867,210}. */
    public static String advice(Recommendation recommendation) {
        String caveat = recommendation.caveat().isEmpty() ? "" : " (" + recommendation.caveat() + ")";
        String tokens = Units.count(recommendation.tokens()) + " tokens";
        if (recommendation.rescues()) {
            return recommendation.change() + ": starts, " + tokens + caveat;
        }
        double gain = recommendation.gain();
        String factor = gain >= 1.5
                ? Units.fixed(gain, 1) + "x the tokens"
                : "+" + Units.fixed((gain - 1) * 100, 0) + "% tokens";
        return recommendation.change() + ": " + factor + ", " + tokens + caveat;
    }

    /** Model, card, engine and verdict in one line, the reason in the next. */
    public static String headline(Fit fit, Style style) {
        String cards = fit.scenario().accelerators() > 1 ? fit.scenario().accelerators() + " x " : "";
        return style.paint(Tone.STRONG, fit.scenario().model().id()) + " on " + cards
                + fit.scenario().accelerator().name() + ", " + fit.plan().engine() + " "
                + fit.plan().version() + ": "
                + style.paint(tone(fit.verdict()), fit.verdict().label()) + "\n" + fit.reason() + "\n";
    }

    /** How a verdict is shown. */
    static Tone tone(Verdict verdict) {
        return switch (verdict) {
            case FITS -> Tone.GOOD;
            case TIGHT -> Tone.CAUTION;
            case OVER -> Tone.BAD;
        };
    }

    private static Table memory(MemoryPlan memory, boolean why) {
        Table.Builder table = why
                ? Table.builder(
                        Column.words("memory of one GPU"),
                        Column.numbers("GiB"),
                        Column.numbers("90% interval"),
                        Column.words("how"))
                : Table.builder(
                        Column.words("memory of one GPU"), Column.numbers("GiB"), Column.numbers("90% interval"));
        addRow(table, why, "total the driver reports", EstimatedBytes.exactly(memory.totalBytes()), "");
        addRow(table, why, "requested", EstimatedBytes.exactly(memory.requestedBytes()), "total x utilization");
        if (why) {
            for (MemoryTerm term : memory.terms()) {
                addRow(table, true, "  " + term.label(), term.bytes(), term.formula());
            }
        } else {
            EstimatedBytes weights = EstimatedBytes.exactly(memory.bytes(MemoryTerm.Kind.WEIGHTS));
            addRow(table, false, "  weights", weights, "");
            for (MemoryTerm term : memory.terms()) {
                if (term.kind() != MemoryTerm.Kind.WEIGHTS) {
                    addRow(table, false, "  " + term.label(), term.bytes(), "");
                }
            }
        }
        addRow(table, why, "KV pool", memory.kvPool(), "requested minus the rest");
        return table.build();
    }

    private static void addRow(Table.Builder table, boolean why, String label, EstimatedBytes bytes, String how) {
        String interval = bytes.exact() ? "" : gib(bytes.low()) + " to " + gib(bytes.high());
        if (why) {
            table.row(label, gib(bytes.value()), interval, how);
        } else {
            table.row(label, gib(bytes.value()), interval);
        }
    }

    private static String gib(long bytes) {
        return Units.fixed((double) bytes / Units.GIB, 2);
    }

    private static String pool(BootPlan plan) {
        KvPool pool = plan.pool();
        return "KV pool: " + Units.count(pool.blocks()) + " blocks of " + pool.blockSize() + " tokens, "
                + Units.count(pool.bytesPerBlock()) + " bytes each; a request of "
                + Units.count(pool.maxModelLen()) + " tokens takes " + Units.count(pool.blocksPerRequest()) + "\n"
                + "At boot it prints about " + Units.count(pool.tokens()) + " tokens (" + Units.count(pool.tokensLow())
                + " to " + Units.count(pool.tokensHigh()) + "), concurrency "
                + Units.fixed(pool.maxConcurrency(), 2) + "x\n";
    }

    private static Table groups(KvPool pool) {
        Table.Builder table = Table.builder(
                Column.words("group"),
                Column.numbers("layers"),
                Column.numbers("block"),
                Column.numbers("page bytes"),
                Column.words("blocks of one request of n tokens"));
        for (KvGroup group : pool.groups()) {
            table.row(
                    group.kind().label(),
                    String.valueOf(group.layers()),
                    String.valueOf(group.blockSize()),
                    Units.count(group.pageBytes()),
                    rule(group.rule()));
        }
        return table.build();
    }

    private static String rule(BlockRule rule) {
        if (rule instanceof BlockRule.PerToken perToken) {
            return "ceil(n / " + perToken.blockSize() + ")";
        }
        if (rule instanceof BlockRule.Window window) {
            return "ceil(min(" + window.windowTokens() + " - 1 + " + window.inFlightTokens() + ", n) / "
                    + window.blockSize() + ") + 1";
        }
        if (rule instanceof BlockRule.Chunk chunk) {
            return "ceil(min(" + chunk.chunkTokens() + " + " + chunk.inFlightTokens() + ", n) / " + chunk.blockSize()
                    + ")";
        }
        if (rule instanceof BlockRule.State state) {
            return state.steadyBlocks() + " held, " + state.chargedBlocks() + " charged";
        }
        BlockRule.StatePerBlock states = (BlockRule.StatePerBlock) rule;
        return "ceil(n / " + states.blockSize() + ") + " + states.speculativeBlocks();
    }
}
