package dev.kvcast.capacity;

/**
 * What a cell needs and whether it gets it.
 *
 * @param cell the cell
 * @param verdict the verdict
 * @param neededBlocks blocks that let all its requests reach their full length with nothing shared, per replica
 * @param neededTokens tokens of all its requests at their full length
 * @param leastBlocks blocks that hold its requests at their context, shared prefixes stored once, per replica
 * @param reason why, in one sentence
 */
public record CellCapacity(
        Cell cell, Verdict verdict, long neededBlocks, long neededTokens, long leastBlocks, String reason) {}
