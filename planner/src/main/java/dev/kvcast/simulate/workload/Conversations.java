package dev.kvcast.simulate.workload;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.IntList;
import dev.kvcast.simulate.RequestTable;
import dev.kvcast.simulate.Workload;

/**
 * Conversations whose every turn sends all that was said before, so that the prefix grows: people at a chat, or an agent
 * that pauses for its tools. Each starts with a system prompt that it may share with others.
 */
public final class Conversations implements Workload {

    /**
     * What a conversation is like.
     *
     * @param systemPrompts different system prompts, which conversations take in turn
     * @param systemTokens tokens of a system prompt, 0 for none
     * @param turns requests of a conversation
     * @param message tokens that each turn adds to the prompt: a question, or a tool's answer
     * @param output tokens of each answer
     * @param pauseSeconds mean of the exponential time from an answer to the next turn
     */
    public record Shape(
            int systemPrompts, int systemTokens, Lengths turns, Lengths message, Lengths output, double pauseSeconds) {
        /** Checks the numbers. */
        public Shape {
            if (systemPrompts < 1 || systemTokens < 0) {
                throw InputException.badInput(systemPrompts + " system prompts of " + systemTokens
                        + " tokens; expected 1 or more, of 0 tokens or more");
            }
            if (!(pauseSeconds >= 0 && pauseSeconds < Double.POSITIVE_INFINITY)) {
                throw InputException.badInput("pause of " + pauseSeconds + " s; expected 0 or more");
            }
        }
    }

    private static final long FIRST_CONVERSATION = 1L << 32;

    private final Arrivals arrivals;
    private final Shape shape;
    private final Extent extent;
    private final long seed;
    private final Randomness messages;
    private final Randomness outputs;
    private final Randomness pauses;
    /** Of each request: its conversation, and the turns that follow it. */
    private final IntList conversation = new IntList();

    private final IntList turnsLeft = new IntList();

    /**
     * Conversations.
     *
     * @param arrivals when they begin
     * @param extent how many begin, and until when
     */
    public Conversations(Arrivals arrivals, Shape shape, Extent extent, long seed) {
        this.arrivals = arrivals;
        this.shape = shape;
        this.extent = extent;
        this.seed = seed;
        messages = new Randomness(seed, 2);
        outputs = new Randomness(seed, 3);
        pauses = new Randomness(seed, 4);
    }

    @Override
    public void begin(RequestTable requests) {
        Randomness times = new Randomness(seed, 1);
        Randomness lengths = new Randomness(seed, 5);
        double now = 0;
        for (int i = 0; i < extent.requests(); i++) {
            now += arrivals.gap(times);
            if (now > extent.seconds()) {
                return;
            }
            turn(now, i, 0, shape.turns().next(lengths) - 1, requests);
        }
    }

    @Override
    public boolean reacts() {
        return true;
    }

    @Override
    public void ended(int request, double now, RequestTable requests) {
        int left = turnsLeft.get(request);
        if (left > 0) {
            int said = requests.promptTokens(request) - shape.systemTokens() + requests.outputTokens(request);
            double time = now + shape.pauseSeconds() * pauses.exponential();
            turn(time, conversation.get(request), said, left - 1, requests);
        }
    }

    private void turn(double time, int which, int said, int left, RequestTable requests) {
        int own = said + shape.message().next(messages);
        requests.add(time, shape.systemTokens() + own, shape.output().next(outputs));
        if (shape.systemTokens() > 0) {
            requests.sharing(which % shape.systemPrompts(), shape.systemTokens());
        }
        requests.sharing(FIRST_CONVERSATION + which, own);
        requests.outputSharing(FIRST_CONVERSATION + which, own);
        conversation.add(which);
        turnsLeft.add(left);
    }
}
