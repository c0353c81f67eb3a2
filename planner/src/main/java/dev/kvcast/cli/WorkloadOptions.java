package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.Workload;
import dev.kvcast.simulate.io.TraceFile;
import dev.kvcast.simulate.workload.Arrivals;
import dev.kvcast.simulate.workload.ClosedLoop;
import dev.kvcast.simulate.workload.Conversations;
import dev.kvcast.simulate.workload.Extent;
import dev.kvcast.simulate.workload.Lengths;
import dev.kvcast.simulate.workload.OpenLoop;
import dev.kvcast.simulate.workload.SharedPrefix;
import dev.kvcast.simulate.workload.Trace;
import dev.kvcast.simulate.workload.WorkloadText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options that describe what to serve. */
final class WorkloadOptions {

    /** Kinds of workload that can be named. */
    enum Kind {
        OPEN,
        CLOSED,
        SHARED_PREFIX,
        CHAT,
        AGENT
    }

    private static final long DEFAULT_SEED = 42;
    private static final int DEFAULT_REQUESTS = 1000;

    private final CliOption<Path> trace = CliOption.path(
            "--trace", "FILE", "Recorded requests: kvcast CSV, Azure, BurstGPT, Mooncake, ShareGPT, vLLM custom.");
    private final CliOption<String> kind = CliOption.text(
            "--workload", "KIND", "Synthetic requests: open (default), closed, shared-prefix, chat or agent.");
    private final CliOption<Double> rate =
            CliOption.decimal("--rate", "R", "Requests (conversations) per second; rescales a trace that has times.");
    private final CliOption<String> arrivals =
            CliOption.text("--arrivals", "KIND", "poisson (default), constant or gamma:CV.");
    private final CliOption<Long> burst = CliOption.number("--burst", "N", "Requests that come together (default: 1).");
    private final CliOption<String> input =
            CliOption.text("--input", "DIST", "Prompt tokens: 1000, uniform:A..B, exponential:M, lognormal:M,SD.");
    private final CliOption<String> output = CliOption.text("--output", "DIST", "Output tokens, likewise.");
    private final CliOption<Long> requests =
            CliOption.number("--requests", "N", "How many (default: 1000 without --duration).");
    private final CliOption<Double> duration = CliOption.decimal("--duration", "S", "For how long they come.");
    private final CliOption<Long> seed = CliOption.number("--seed", "S", "Same seed, same requests (default: 42).");
    private final CliOption<Long> systemPrompt =
            CliOption.tokens("--system-prompt", "N", "Tokens of a shared system prompt.");
    private final CliOption<Long> question = CliOption.tokens("--question", "N", "Tokens of a question.");
    private final CliOption<Long> prompts = CliOption.number("--prompts", "N", "Different system prompts.");
    private final CliOption<Long> users = CliOption.number("--users", "N", "Users (of each system prompt).");
    private final CliOption<Double> think =
            CliOption.decimal("--think", "S", "Mean pause between an answer and the next turn (default: 0).");
    private final CliOption<String> turns =
            CliOption.text("--turns", "DIST", "Requests of a conversation (default: 5 for chat, 20 for agent).");

    void addTo(CommandSpec spec) {
        for (CliOption<?> option : List.of(
                trace,
                kind,
                rate,
                arrivals,
                burst,
                input,
                output,
                requests,
                duration,
                seed,
                systemPrompt,
                question,
                prompts,
                users,
                think,
                turns)) {
            spec.addOption(option.spec());
        }
    }

    /** Whether the times are those of recorded requests. */
    boolean isTrace(ParseResult arguments) {
        return trace.in(arguments).isPresent();
    }

    /**
     * What was described; made anew for every run, because a workload is used up by it.
     *
     * @param otherRate a rate that replaces the one described
     * @param notes takes what the user should know
     */
    Workload workload(ParseResult arguments, OptionalDouble otherRate, List<String> notes) {
        Optional<Double> wanted = otherRate.isPresent() ? Optional.of(otherRate.getAsDouble()) : rate.in(arguments);
        if (trace.in(arguments).isPresent()) {
            return trace(TraceFile.read(trace.in(arguments).get()), arguments, wanted, notes);
        }
        return switch (kind(arguments)) {
            case OPEN ->
                new OpenLoop(
                        arrivals(arguments, wanted),
                        positive(burst, arguments),
                        lengths(input, arguments),
                        lengths(output, arguments),
                        extent(arguments),
                        seed(arguments));
            case CLOSED ->
                new ClosedLoop(
                        whole(users, arguments),
                        think.in(arguments).orElse(0.0),
                        lengths(input, arguments),
                        lengths(output, arguments),
                        extent(arguments),
                        seed(arguments));
            case SHARED_PREFIX ->
                new SharedPrefix(
                        arrivals(arguments, wanted),
                        whole(systemPrompt, arguments),
                        whole(question, arguments),
                        constant(lengths(output, arguments)),
                        whole(prompts, arguments),
                        whole(users, arguments),
                        extent(arguments),
                        seed(arguments));
            case CHAT -> conversations(arguments, wanted, "5");
            case AGENT -> conversations(arguments, wanted, "20");
        };
    }

    private Kind kind(ParseResult arguments) {
        String name = kind.in(arguments).orElse("open");
        for (Kind each : Kind.values()) {
            if (each.name().replace('_', '-').equalsIgnoreCase(name)) {
                return each;
            }
        }
        throw InputException.badInput(
                "--workload '" + name + "' is unknown; use open, closed, shared-prefix, chat or agent");
    }

    private Workload trace(TraceFile file, ParseResult arguments, Optional<Double> wanted, List<String> notes) {
        notes.addAll(file.notes());
        Trace recorded = file.trace();
        boolean spread = recorded.rate() > 0;
        if (wanted.isEmpty()) {
            if (!file.timed()) {
                throw InputException.badInput(trace.in(arguments).get() + " says nothing of times; add --rate");
            }
            return recorded;
        }
        return file.timed() && spread && arrivals.in(arguments).isEmpty()
                ? recorded.atRate(wanted.get())
                : recorded.arriving(arrivals(arguments, wanted), seed(arguments));
    }

    private Conversations conversations(ParseResult arguments, Optional<Double> wanted, String usualTurns) {
        Conversations.Shape shape = new Conversations.Shape(
                positive(prompts, arguments),
                (int) Math.min(Integer.MAX_VALUE, systemPrompt.in(arguments).orElse(0L)),
                WorkloadText.lengths("--turns", turns.in(arguments).orElse(usualTurns)),
                lengths(input, arguments),
                lengths(output, arguments),
                think.in(arguments).orElse(0.0));
        return new Conversations(arrivals(arguments, wanted), shape, extent(arguments), seed(arguments));
    }

    private Arrivals arrivals(ParseResult arguments, Optional<Double> wanted) {
        double perSecond = wanted.orElseThrow(() -> missing("--rate"));
        return WorkloadText.arrivals(arrivals.in(arguments).orElse("poisson"), perSecond);
    }

    private Extent extent(ParseResult arguments) {
        Optional<Double> seconds = duration.in(arguments);
        Optional<Long> count = requests.in(arguments);
        int most = (int) Math.min(
                Integer.MAX_VALUE,
                count.orElse(seconds.isPresent() ? (long) Extent.MOST_REQUESTS : (long) DEFAULT_REQUESTS));
        return new Extent(most, seconds.orElse(Double.POSITIVE_INFINITY));
    }

    private long seed(ParseResult arguments) {
        return seed.in(arguments).orElse(DEFAULT_SEED);
    }

    private static Lengths lengths(CliOption<String> option, ParseResult arguments) {
        String name = option.spec().longestName();
        return WorkloadText.lengths(name, option.in(arguments).orElseThrow(() -> missing(name)));
    }

    private static int constant(Lengths lengths) {
        if (lengths instanceof Lengths.Constant constant) {
            return constant.tokens();
        }
        throw InputException.badInput("--output of a shared-prefix workload is a number of tokens");
    }

    private static int whole(CliOption<Long> option, ParseResult arguments) {
        String name = option.spec().longestName();
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, option.in(arguments).orElseThrow(() -> missing(name))));
    }

    /** A count of 1 or more, 1 where none is given. */
    private static int positive(CliOption<Long> option, ParseResult arguments) {
        long count = option.in(arguments).orElse(1L);
        if (count < 1 || count > Integer.MAX_VALUE) {
            throw InputException.badInput(
                    option.spec().longestName() + " is " + count + "; expected 1 or more, below 2^31");
        }
        return (int) count;
    }

    private static InputException missing(String option) {
        return InputException.badInput("this workload needs " + option);
    }
}
