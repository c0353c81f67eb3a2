package dev.kvcast.capacity;

import dev.kvcast.engine.KvPool;
import dev.kvcast.model.InputException;

/** Which cells a benchmark refuses to run, whatever the engine would do with them. */
public enum SkipRule {
    /** Nothing is skipped but what the engine cannot hold. */
    NONE("none"),
    /**
     * llm-inference-bench: a cell is skipped when {@code concurrency x (context + max output)} exceeds
     * {@code blocks x block size} as the server's metrics report them.
     */
    LLM_INFERENCE_BENCH("llm-inference-bench");

    private final String label;

    SkipRule(String label) {
        this.label = label;
    }

    /** The name used on the command line. */
    public String label() {
        return label;
    }

    /**
     * The rule of that name.
     *
     * @throws InputException for any other name
     */
    public static SkipRule parse(String name) {
        for (SkipRule rule : values()) {
            if (rule.label.equals(name)) {
                return rule;
            }
        }
        throw InputException.badInput("--skip-rule '" + name + "' is unknown; use none or llm-inference-bench");
    }

    /** Whether the rule skips the cell. */
    public boolean skips(Cell cell, KvPool pool) {
        return this == LLM_INFERENCE_BENCH
                && Math.multiplyExact(cell.finalTokens(), cell.concurrency()) > pool.blocks() * pool.blockSize();
    }
}
