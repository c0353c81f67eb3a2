package dev.kvcast.simulate;

import java.util.Arrays;

/**
 * Which block holds the keys and values of which prefix: the hash map of {@code v1/core/block_pool.py}
 * ({@code BlockHashToBlockMap} and {@code cached_block_hashes_by_block}).
 *
 * <p>A key may lead to several blocks, of which the one entered first is found; a block may have a second key when a
 * prefix ends inside it.
 */
final class PrefixCache {

    private static final long NO_KEY = 0;
    private static final int NONE = -1;

    /** Open addressing: the key of each slot and the first entry under it. */
    private long[] slotKeys;

    private int[] slotEntries;
    private int slotMask;
    private int keys;

    /** Entry {@code b} is the primary key of block {@code b}; entries after the last block are second keys. */
    private long[] entryKey;

    private int[] entryBlock;
    private int[] nextOfKey;
    private int[] nextOfBlock;
    private int freeEntry = NONE;
    private int usedEntries;
    private final int[] prefixTokens;

    /**
     * An empty cache.
     *
     * @param blocks blocks in the pool
     */
    PrefixCache(int blocks) {
        int slots = Integer.highestOneBit(Math.max(8, blocks)) * 4;
        slotKeys = new long[slots];
        slotEntries = new int[slots];
        slotMask = slots - 1;
        entryKey = new long[blocks];
        entryBlock = new int[blocks];
        nextOfKey = new int[blocks];
        nextOfBlock = new int[blocks];
        prefixTokens = new int[blocks];
        Arrays.setAll(entryBlock, i -> i);
        Arrays.fill(nextOfBlock, NONE);
        usedEntries = blocks;
    }

    /** Distinct keys. */
    int size() {
        return keys;
    }

    /** The block first entered under {@code key}, or -1. */
    int find(long key) {
        for (int slot = (int) key & slotMask; ; slot = (slot + 1) & slotMask) {
            long found = slotKeys[slot];
            if (found == key) {
                return entryBlock[slotEntries[slot]];
            }
            if (found == NO_KEY) {
                return NONE;
            }
        }
    }

    /** The block's first key; 0 without. */
    long primaryKey(int block) {
        return entryKey[block];
    }

    /** Tokens of the prefix that the block's first key stands for. */
    int prefixTokens(int block) {
        return prefixTokens[block];
    }

    /** Whether {@code key} leads to {@code block}. */
    boolean contains(long key, int block) {
        int slot = slotOf(key);
        if (slot == NONE) {
            return false;
        }
        for (int entry = slotEntries[slot]; entry != NONE; entry = nextOfKey[entry]) {
            if (entryBlock[entry] == block) {
                return true;
            }
        }
        return false;
    }

    /**
     * Makes the block findable under the key, unless it is already.
     *
     * @param tokens length of the prefix in tokens, remembered with the first key only
     */
    void insert(int block, long key, int tokens) {
        if (entryKey[block] == key || contains(key, block)) {
            return;
        }
        if (entryKey[block] == NO_KEY) {
            entryKey[block] = key;
            prefixTokens[block] = tokens;
            link(key, block);
            return;
        }
        int entry = newEntry();
        entryKey[entry] = key;
        entryBlock[entry] = block;
        nextOfBlock[entry] = nextOfBlock[block];
        nextOfBlock[block] = entry;
        link(key, entry);
    }

    /** Forgets every key of the block. */
    void remove(int block) {
        long key = entryKey[block];
        if (key == NO_KEY) {
            return;
        }
        entryKey[block] = NO_KEY;
        unlink(key, block);
        int entry = nextOfBlock[block];
        nextOfBlock[block] = NONE;
        while (entry != NONE) {
            int next = nextOfBlock[entry];
            unlink(entryKey[entry], entry);
            nextOfBlock[entry] = freeEntry;
            freeEntry = entry;
            entry = next;
        }
    }

    /** Lets {@code target} answer for all keys of {@code source}. */
    void move(int source, int target) {
        long[] moved = new long[] {entryKey[source]};
        for (int entry = nextOfBlock[source]; entry != NONE; entry = nextOfBlock[entry]) {
            moved = Arrays.copyOf(moved, moved.length + 1);
            moved[moved.length - 1] = entryKey[entry];
        }
        int tokens = prefixTokens[source];
        remove(source);
        for (long key : moved) {
            insert(target, key, tokens);
        }
    }

    private int slotOf(long key) {
        for (int slot = (int) key & slotMask; ; slot = (slot + 1) & slotMask) {
            if (slotKeys[slot] == key) {
                return slot;
            }
            if (slotKeys[slot] == NO_KEY) {
                return NONE;
            }
        }
    }

    private void link(long key, int entry) {
        nextOfKey[entry] = NONE;
        int slot = (int) key & slotMask;
        while (slotKeys[slot] != NO_KEY) {
            if (slotKeys[slot] == key) {
                int last = slotEntries[slot];
                while (nextOfKey[last] != NONE) {
                    last = nextOfKey[last];
                }
                nextOfKey[last] = entry;
                return;
            }
            slot = (slot + 1) & slotMask;
        }
        slotKeys[slot] = key;
        slotEntries[slot] = entry;
        keys++;
        if (keys * 2 > slotMask) {
            growSlots();
        }
    }

    private void unlink(long key, int entry) {
        int slot = slotOf(key);
        int first = slotEntries[slot];
        if (first != entry) {
            int before = first;
            while (nextOfKey[before] != entry) {
                before = nextOfKey[before];
            }
            nextOfKey[before] = nextOfKey[entry];
        } else if (nextOfKey[entry] != NONE) {
            slotEntries[slot] = nextOfKey[entry];
        } else {
            clearSlot(slot);
        }
    }

    /** Empties a slot and moves later ones of the same run up, so that no probe ends too early. */
    private void clearSlot(int emptied) {
        keys--;
        int hole = emptied;
        for (int slot = (hole + 1) & slotMask; slotKeys[slot] != NO_KEY; slot = (slot + 1) & slotMask) {
            int home = (int) slotKeys[slot] & slotMask;
            if (((slot - home) & slotMask) >= ((slot - hole) & slotMask)) {
                slotKeys[hole] = slotKeys[slot];
                slotEntries[hole] = slotEntries[slot];
                hole = slot;
            }
        }
        slotKeys[hole] = NO_KEY;
    }

    private void growSlots() {
        long[] oldKeys = slotKeys;
        int[] oldEntries = slotEntries;
        slotKeys = new long[oldKeys.length * 2];
        slotEntries = new int[oldKeys.length * 2];
        slotMask = slotKeys.length - 1;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != NO_KEY) {
                int slot = (int) oldKeys[i] & slotMask;
                while (slotKeys[slot] != NO_KEY) {
                    slot = (slot + 1) & slotMask;
                }
                slotKeys[slot] = oldKeys[i];
                slotEntries[slot] = oldEntries[i];
            }
        }
    }

    private int newEntry() {
        if (freeEntry != NONE) {
            int entry = freeEntry;
            freeEntry = nextOfBlock[entry];
            return entry;
        }
        if (usedEntries == entryKey.length) {
            int capacity = usedEntries + Math.max(16, usedEntries / 4);
            entryKey = Arrays.copyOf(entryKey, capacity);
            entryBlock = Arrays.copyOf(entryBlock, capacity);
            nextOfKey = Arrays.copyOf(nextOfKey, capacity);
            nextOfBlock = Arrays.copyOf(nextOfBlock, capacity);
        }
        return usedEntries++;
    }
}
