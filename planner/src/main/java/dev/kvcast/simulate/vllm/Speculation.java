package dev.kvcast.simulate.vllm;

/**
 * Speculative decoding as far as scheduling goes ({@code config/speculative.py}).
 *
 * @param tokens drafts per step; 0 without speculation
 * @param lookahead cache slots reserved past the scheduled tokens ({@code num_lookahead_tokens})
 * @param draftSlots input slots a request takes beside its tokens ({@code max_num_new_slots_for_drafting})
 * @param prefillLookahead prompt tokens the drafter reads ahead ({@code num_prefill_lookahead_tokens})
 * @param hiddenStates whether the drafter reads hidden states, so that hits end one block earlier ({@code use_eagle})
 */
public record Speculation(int tokens, int lookahead, int draftSlots, int prefillLookahead, boolean hiddenStates) {

    /** No speculation. */
    public static final Speculation NONE = new Speculation(0, 0, 0, 0, false);

    /** A drafter with hidden states: EAGLE, or the model's own multi-token prediction. */
    public static Speculation eagle(int tokens) {
        return new Speculation(tokens, tokens, 0, 1, true);
    }

    /** A separate draft model. */
    public static Speculation draftModel(int tokens) {
        return new Speculation(tokens, tokens, 1, 0, false);
    }

    /** Drafts looked up in the text itself. */
    public static Speculation ngram(int tokens) {
        return new Speculation(tokens, 0, 0, 0, false);
    }
}
