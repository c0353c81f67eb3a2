package dev.kvcast.simulate.vllm;

import dev.kvcast.simulate.BlockPool;
import dev.kvcast.simulate.TokenHash;
import java.util.ArrayList;
import java.util.List;

/** Groups of one kind and size: a prefix counts as cached only when all of them hold it ({@code SpecGroup}). */
final class LookupSet {

    private final List<BlockGroup> members = new ArrayList<>();
    private final BlockPool pool;
    private final PrefixHashes hashes;
    private boolean draft;

    LookupSet(BlockGroup first, boolean draft, BlockPool pool, PrefixHashes hashes) {
        members.add(first);
        this.draft = draft;
        this.pool = pool;
        this.hashes = hashes;
    }

    /** Adds a group of the same kind and size. */
    void add(BlockGroup group, boolean isDraft) {
        members.add(group);
        draft |= isDraft;
    }

    /** The first group, which searches for all. */
    BlockGroup first() {
        return members.get(0);
    }

    /** The groups. */
    List<BlockGroup> members() {
        return members;
    }

    /** Whether hits end one block earlier. */
    boolean isDraft() {
        return draft;
    }

    /** Whether all groups hold the prefix of {@code index + 1} hash units; they then remember their blocks. */
    boolean probe(int slot, int index) {
        long hash = hashes.at(slot, index);
        if (hash == PrefixHashes.PRIVATE) {
            return false;
        }
        for (int i = 0; i < members.size(); i++) {
            BlockGroup group = members.get(i);
            group.found = pool.find(TokenHash.key(hash, group.id));
            if (group.found < 0) {
                return false;
            }
        }
        return true;
    }

    /** Appends the blocks just found to every group's hit. */
    void take() {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).hit.add(members.get(i).found);
        }
    }

    /** Puts the blocks just found at a position of every group's hit. */
    void place(int index) {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).hit.set(index, members.get(i).found);
        }
    }

    /** Makes every group's hit {@code count} null blocks. */
    void fillNull(int count) {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).hit.clear();
            members.get(i).hit.fill(0, count);
        }
    }

    /** Cuts every group's hit. */
    void truncate(int blocks) {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).hit.truncate(blocks);
        }
    }
}
