package dev.kvcast.throughput;

/** A step without chunks of prompts. */
public interface DecodeOnly extends StepContent {

    @Override
    default int chunks() {
        return 0;
    }

    @Override
    default double chunkTokens(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    @Override
    default double chunkContext(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    @Override
    default boolean chunkIsLast(int index) {
        throw new IndexOutOfBoundsException(index);
    }
}
