package dev.kvcast.simulate.vllm;

import java.util.Arrays;

/** Smallest priority number first, then by arrival, then by row: a binary heap. */
final class PriorityQueue implements WaitingQueue {

    private final RequestState state;
    private int[] heap = new int[64];
    private int size;

    PriorityQueue(RequestState state) {
        this.state = state;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int peek() {
        return heap[0];
    }

    @Override
    public int pop() {
        int first = heap[0];
        heap[0] = heap[--size];
        siftDown(0);
        return first;
    }

    @Override
    public void add(int row) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        heap[size] = row;
        siftUp(size++);
    }

    @Override
    public void prepend(int row) {
        add(row);
    }

    @Override
    public void remove(int row) {
        for (int i = 0; i < size; i++) {
            if (heap[i] == row) {
                heap[i] = heap[--size];
                siftDown(i);
                siftUp(i);
                return;
            }
        }
    }

    @Override
    public int[] toArray() {
        Integer[] sorted = new Integer[size];
        Arrays.setAll(sorted, i -> heap[i]);
        Arrays.sort(sorted, (a, b) -> before(a, b) ? -1 : 1);
        return Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
    }

    private void siftUp(int from) {
        for (int i = from; i > 0 && before(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2) {
            swap(i, (i - 1) / 2);
        }
    }

    private void siftDown(int from) {
        int i = from;
        while (true) {
            int least = i;
            for (int child = 2 * i + 1; child <= 2 * i + 2 && child < size; child++) {
                if (before(heap[child], heap[least])) {
                    least = child;
                }
            }
            if (least == i) {
                return;
            }
            swap(i, least);
            i = least;
        }
    }

    private void swap(int a, int b) {
        int row = heap[a];
        heap[a] = heap[b];
        heap[b] = row;
    }

    /** {@code Request.__lt__}. */
    private boolean before(int a, int b) {
        if (state.priority[a] != state.priority[b]) {
            return state.priority[a] < state.priority[b];
        }
        int byArrival = Double.compare(state.arrival[a], state.arrival[b]);
        return byArrival < 0 || (byArrival == 0 && state.id[a] < state.id[b]);
    }
}
