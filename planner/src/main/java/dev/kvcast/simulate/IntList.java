package dev.kvcast.simulate;

import java.util.Arrays;

/** A growing list of {@code int}, without boxing. */
public final class IntList {

    private int[] values;
    private int size;

    /** An empty list. */
    public IntList() {
        values = new int[16];
    }

    /** Number of values. */
    public int size() {
        return size;
    }

    /** Whether there is nothing in it. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The value at {@code index}, 0 to {@code size() - 1}. */
    public int get(int index) {
        return values[index];
    }

    /** Replaces the value at {@code index}. */
    public void set(int index, int value) {
        values[index] = value;
    }

    /** The last value. */
    public int last() {
        return values[size - 1];
    }

    /** Appends a value. */
    public void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    /** Appends {@code count} times the same value. */
    public void fill(int value, int count) {
        for (int i = 0; i < count; i++) {
            add(value);
        }
    }

    /** Removes and returns the last value. */
    public int removeLast() {
        return values[--size];
    }

    /** Removes the value at {@code index}; later ones move up. */
    public void removeAt(int index) {
        System.arraycopy(values, index + 1, values, index, size - index - 1);
        size--;
    }

    /** Position of the first such value, or -1. */
    public int indexOf(int value) {
        for (int i = 0; i < size; i++) {
            if (values[i] == value) {
                return i;
            }
        }
        return -1;
    }

    /** Keeps the first {@code newSize} values. */
    public void truncate(int newSize) {
        size = Math.min(size, newSize);
    }

    /** Removes everything. */
    public void clear() {
        size = 0;
    }

    /** A copy of the values. */
    public int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
