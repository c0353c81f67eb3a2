package dev.kvcast.model;

/**
 * Storage of one linear weight of {@code rows} outputs and {@code columns} inputs, with all that stays resident beside
 * it: scales, zero points, group indices. Sources: the layouts that AutoAWQ, GPTQ, compressed-tensors, ModelOpt,
 * bitsandbytes and vLLM's loaders use; see the README's data notes for what each was checked against.
 */
public sealed interface WeightScheme {

    /**
     * Resident bytes of one matrix.
     *
     * @param rows output features on this rank
     * @param columns input features on this rank
     * @param original type of unquantized tensors
     */
    long bytes(long rows, long columns, DataType original);

    /** Bits of one stored weight without its scales. */
    double bits(DataType original);

    /** The model's own type. */
    record Original() implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            return original.bytes(Math.multiplyExact(rows, columns));
        }

        @Override
        public double bits(DataType original) {
            return original.bits();
        }
    }

    /** Nothing is stored. */
    record Absent() implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            return 0;
        }

        @Override
        public double bits(DataType original) {
            return 0;
        }
    }

    /**
     * One type whatever the model's type is (router biases and decay rates kept in 32 bits, token tables of integers).
     *
     * @param type the type
     */
    record Fixed(DataType type) implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            return type.bytes(Math.multiplyExact(rows, columns));
        }

        @Override
        public double bits(DataType original) {
            return type.bits();
        }
    }

    /**
     * Integers in groups along the input with a 16-bit scale each (AWQ, GPTQ, AutoRound, compressed-tensors
     * pack-quantized).
     *
     * @param width bits of one weight
     * @param groupSize inputs per scale, or 0 for one scale a row
     * @param zeroPoints whether each group stores a zero point of {@code width} bits
     * @param actOrder whether a 32-bit group index per input stays resident (GPTQ's {@code desc_act})
     */
    record GroupedInt(int width, int groupSize, boolean zeroPoints, boolean actOrder) implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            long groups = groupSize <= 0 ? 1 : ceilDiv(columns, groupSize);
            long scales = Math.multiplyExact(groups, rows);
            long zeros = zeroPoints ? ceilDiv(scales * width, 8) : 0;
            long indices = actOrder ? 4 * columns : 0;
            return ceilDiv(Math.multiplyExact(Math.multiplyExact(rows, columns), width), 8)
                    + 2 * scales
                    + zeros
                    + indices;
        }

        @Override
        public double bits(DataType original) {
            return width;
        }
    }

    /** How many 32-bit scales an 8-bit weight carries. */
    enum Granularity {
        TENSOR,
        CHANNEL,
        BLOCK_128
    }

    /**
     * 8-bit weights, floating point or integer, with 32-bit scales.
     *
     * @param floating FP8 when true, INT8 when false
     */
    record EightBit(boolean floating, Granularity granularity) implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            long scales = switch (granularity) {
                case TENSOR -> 1;
                case CHANNEL -> rows;
                case BLOCK_128 -> ceilDiv(rows, 128) * ceilDiv(columns, 128);
            };
            return Math.addExact(Math.multiplyExact(rows, columns), 4 * scales);
        }

        @Override
        public double bits(DataType original) {
            return 8;
        }
    }

    /**
     * 4-bit floating point with an 8-bit scale per group.
     *
     * @param groupSize 16 for NVFP4, 32 for MXFP4
     */
    record FourBitFloat(int groupSize) implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            long packed = ceilDiv(Math.multiplyExact(rows, columns), 2);
            return packed + Math.multiplyExact(rows, ceilDiv(columns, groupSize)) + (groupSize == 16 ? 8 : 0);
        }

        @Override
        public double bits(DataType original) {
            return 4;
        }
    }

    /** MXFP8: 8-bit floating point with an 8-bit scale per 32 inputs. */
    record MicroscaledEightBit() implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            return Math.addExact(Math.multiplyExact(rows, columns), Math.multiplyExact(rows, ceilDiv(columns, 32)));
        }

        @Override
        public double bits(DataType original) {
            return 8;
        }
    }

    /**
     * bitsandbytes NF4 with nested statistics, the default of every published checkpoint: 4-bit weights, an 8-bit maximum
     * per 64 weights and a 32-bit one per 256 of those.
     */
    record NormalFloat4() implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            long elements = Math.multiplyExact(rows, columns);
            return ceilDiv(elements, 2) + ceilDiv(elements, 64) + 4 * ceilDiv(elements, 64 * 256);
        }

        @Override
        public double bits(DataType original) {
            return 4;
        }
    }

    /**
     * Any other format, by its average size (EXL3, mixed-precision exports).
     *
     * @param bitsPerWeight average bits of one weight, scales included
     */
    record Average(double bitsPerWeight) implements WeightScheme {
        @Override
        public long bytes(long rows, long columns, DataType original) {
            return (long) Math.ceil(Math.multiplyExact(rows, columns) * bitsPerWeight / 8);
        }

        @Override
        public double bits(DataType original) {
            return bitsPerWeight;
        }
    }

    private static long ceilDiv(long value, long divisor) {
        return (value + divisor - 1) / divisor;
    }
}
