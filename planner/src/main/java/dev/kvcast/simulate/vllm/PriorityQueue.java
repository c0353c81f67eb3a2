package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.RequestTable;
import java.util.Arrays;

/** Smallest priority number first, then by arrival, then by row: a binary heap. */
final class PriorityQueue implements WaitingQueue {

    private final RequestTable requests;
    private int[] heap = new int[64];
    private int size;

    PriorityQueue(RequestTable requests) {
        this.requests = requests;
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
    public void add(int request) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        heap[size] = request;
        siftUp(size++);
    }

    @Override
    public void prepend(int request) {
        add(request);
    }

    @Override
    public void remove(int request) {
        for (int i = 0; i < size; i++) {
            if (heap[i] == request) {
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
        int request = heap[a];
        heap[a] = heap[b];
        heap[b] = request;
    }

    /** {@code Request.__lt__}. */
    private boolean before(int a, int b) {
        if (requests.priority(a) != requests.priority(b)) {
            return requests.priority(a) < requests.priority(b);
        }
        int byArrival = Double.compare(requests.arrivalSeconds(a), requests.arrivalSeconds(b));
        return byArrival < 0 || (byArrival == 0 && a < b);
    }
}
