package dev.kvcast.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Bytes of weights that stay resident on one rank after loading, by component. The rules are vLLM 0.32's
 * ({@code model_executor/layers/linear.py}, {@code vocab_parallel_embedding.py}, {@code fused_moe}): heads that ranks
 * outnumber are replicated, vocabularies are padded to a multiple of 64 before they are divided, tied heads are stored
 * once, and nothing is held that a flag drops.
 *
 * @param byComponent bytes of each component that has any
 * @param total sum of all
 */
public record WeightBytes(Map<Component, Long> byComponent, long total) {

    /** Rows to which engines pad a vocabulary ({@code DEFAULT_VOCAB_PADDING_SIZE}). */
    private static final long VOCABULARY_PADDING = 64;

    private static final Component[] COMPONENTS = Component.values();

    /** Makes the map unmodifiable. */
    public WeightBytes {
        byComponent = Collections.unmodifiableMap(byComponent);
    }

    /** Bytes of one component, 0 when the rank holds none. */
    public long of(Component component) {
        return byComponent.getOrDefault(component, 0L);
    }

    /** What one rank holds. */
    @SuppressWarnings("EnumOrdinal") // counters within this call; asked a hundred thousand times
    public static WeightBytes of(ModelConfig model, Placement placement) {
        long[] sums = new long[COMPONENTS.length];
        for (Weight weight : model.weights()) {
            long places = places(weight, model, placement);
            if (places > 0) {
                long bytes = Math.multiplyExact(places, bytesEach(weight, model.dtype(), placement));
                int component = weight.component().ordinal();
                sums[component] = Math.addExact(sums[component], bytes);
            }
        }
        Map<Component, Long> byComponent = new EnumMap<>(Component.class);
        long total = 0;
        for (Component component : COMPONENTS) {
            long bytes = sums[component.ordinal()];
            if (bytes > 0) {
                byComponent.put(component, bytes);
                total = Math.addExact(total, bytes);
            }
        }
        return new WeightBytes(byComponent, total);
    }

    /** Layers (or 1 outside the stack) in which this rank holds the weight. */
    private static long places(Weight weight, ModelConfig model, Placement placement) {
        if (!weight.layers().outside()) {
            return weight.component() == Component.UNUSED
                    ? 0
                    : weight.layers().countWithin(placement.firstLayer(), placement.endLayer());
        }
        boolean held = switch (weight.component()) {
            case EMBEDDING -> placement.firstStage() || (model.tiedEmbeddings() && placement.lastStage());
            case VISION -> placement.frontEnd();
            case MTP -> placement.draft() && placement.lastStage();
            case UNUSED, MTP_COPY -> false;
            default -> placement.lastStage();
        };
        return held ? 1 : 0;
    }

    /** Bytes of all copies in one layer. */
    private static long bytesEach(Weight weight, DataType dtype, Placement placement) {
        long ranks = placement.tensorParallel();
        long rows = weight.rows();
        long columns = weight.columns();
        long count = weight.count();
        switch (weight.split()) {
            case COLUMN -> rows = dividedRows(weight, ranks);
            case ROW -> columns = ceilDiv(columns, ranks);
            case VOCABULARY -> rows = ceilDiv(ceilDiv(rows, VOCABULARY_PADDING) * VOCABULARY_PADDING, ranks);
            case EXPERT_COLUMN -> {
                count = ceilDiv(count, placement.expertRanks());
                rows = placement.expertRanks() > 1 ? rows : ceilDiv(rows, ranks);
            }
            case EXPERT_ROW -> {
                count = ceilDiv(count, placement.expertRanks());
                columns = placement.expertRanks() > 1 ? columns : ceilDiv(columns, ranks);
            }
            case REPLICATED -> {
                // every rank holds it whole
            }
        }
        if (weight.scheme() instanceof WeightScheme.FourBitFloat four && four.groupSize() == 32) {
            boolean inner = weight.split() == Weight.Split.EXPERT_COLUMN;
            boolean outer = weight.split() == Weight.Split.EXPERT_ROW;
            rows = inner
                    ? up(rows, placement.experts().innerStep())
                    : outer ? up(rows, placement.experts().hiddenStep()) : rows;
            columns = inner
                    ? up(columns, placement.experts().hiddenStep())
                    : outer ? up(columns, placement.experts().innerStep()) : columns;
        }
        return Math.multiplyExact(count, weight.scheme().bytes(rows, columns, dtype));
    }

    private static long up(long value, long step) {
        return ceilDiv(value, step) * step;
    }

    private static long dividedRows(Weight weight, long ranks) {
        if (weight.heads() == 0) {
            return ceilDiv(weight.rows(), ranks);
        }
        return weight.rows() / weight.heads() * ceilDiv(weight.heads(), ranks);
    }

    private static long ceilDiv(long value, long divisor) {
        return (value + divisor - 1) / divisor;
    }
}
