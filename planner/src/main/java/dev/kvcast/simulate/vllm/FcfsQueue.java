package dev.kvcast.simulate.vllm;

/** First come, first served: a ring buffer open at both ends. */
final class FcfsQueue implements WaitingQueue {

    private int[] ring = new int[64];
    private int head;
    private int size;

    @Override
    public int size() {
        return size;
    }

    @Override
    public int peek() {
        return ring[head];
    }

    @Override
    public int pop() {
        int row = ring[head];
        head = (head + 1) & (ring.length - 1);
        size--;
        return row;
    }

    @Override
    public void add(int row) {
        ensureRoom();
        ring[(head + size++) & (ring.length - 1)] = row;
    }

    @Override
    public void prepend(int row) {
        ensureRoom();
        head = (head - 1) & (ring.length - 1);
        ring[head] = row;
        size++;
    }

    @Override
    public void remove(int row) {
        int[] rest = toArray();
        head = 0;
        size = 0;
        for (int each : rest) {
            if (each != row) {
                add(each);
            }
        }
    }

    @Override
    public int[] toArray() {
        int[] requests = new int[size];
        for (int i = 0; i < size; i++) {
            requests[i] = ring[(head + i) & (ring.length - 1)];
        }
        return requests;
    }

    private void ensureRoom() {
        if (size == ring.length) {
            int[] larger = new int[size * 2];
            for (int i = 0; i < size; i++) {
                larger[i] = ring[(head + i) & (ring.length - 1)];
            }
            ring = larger;
            head = 0;
        }
    }
}
