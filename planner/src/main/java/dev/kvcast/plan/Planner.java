package dev.kvcast.plan;

import dev.kvcast.capacity.Capacity;
import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.engine.BootFailure;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.Engine;
import dev.kvcast.engine.Scenario;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.AcceleratorCatalog;
import dev.kvcast.model.InputException;
import dev.kvcast.throughput.CoefficientLibrary;
import dev.kvcast.throughput.SpeedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Answers questions: looks names up, asks the engine's rules, and judges what comes out. Stateless and thread-safe. */
public final class Planner {

    private static final long SMALL_CARD_BYTES = 24L << 30;

    private final ModelSource models;
    private final AcceleratorCatalog accelerators;
    private final List<Engine> engines;
    private final CoefficientLibrary speeds;

    /**
     * A planner.
     *
     * @param models where models come from
     * @param accelerators known cards
     * @param engines known engines
     * @param speeds coefficients of step times
     */
    public Planner(
            ModelSource models, AcceleratorCatalog accelerators, List<Engine> engines, CoefficientLibrary speeds) {
        this.models = models;
        this.accelerators = accelerators;
        this.engines = List.copyOf(engines);
        this.speeds = speeds;
    }

    /**
     * Whether the engine starts, and with how much KV cache.
     *
     * @throws InputException for unknown names, contradicting flags and combinations the engine refuses to parse
     */
    public Fit fit(PlanRequest request) {
        Resolved resolved = resolve(request);
        BootPlan plan = resolved.engine().plan(resolved.scenario());
        Verdict verdict =
                plan.failure().isPresent() ? Verdict.OVER : plan.risk().isPresent() ? Verdict.TIGHT : Verdict.FITS;
        List<String> warnings = new ArrayList<>(resolved.warnings());
        warnings.addAll(plan.warnings());
        List<Recommendation> advice = Advice.of(resolved.engine(), resolved.scenario(), plan);
        return new Fit(request.id(), resolved.scenario(), plan, verdict, reason(plan), advice, warnings);
    }

    /**
     * The verdict on every cell, and how fast it is.
     *
     * @throws InputException as {@link #fit}
     */
    public Matrix matrix(PlanRequest request, MatrixRequest cells) {
        Fit fit = fit(request);
        Optional<SpeedModel> speed = speed(fit);
        Capacity capacity = new Capacity(fit.plan(), cells.sharedPrefix(), cells.skipRule());
        List<Matrix.Cell> judged = new ArrayList<>(cells.cells().size());
        for (Cell cell : cells.cells()) {
            CellCapacity verdict = capacity.judge(cell);
            judged.add(new Matrix.Cell(
                    verdict,
                    verdict.verdict() == Verdict.OVER
                            ? Optional.empty()
                            : speed.map(model -> model.decode(
                                    cell.contextTokens(),
                                    cell.concurrency(),
                                    cell.outputTokens(),
                                    cells.sharedPrefix()))));
        }
        return new Matrix(fit, cells, judged, Limits.of(capacity, cells.cells()), prefill(fit, cells, speed));
    }

    private static List<Matrix.Prefill> prefill(Fit fit, MatrixRequest cells, Optional<SpeedModel> speed) {
        boolean boots = fit.plan().failure().isEmpty();
        long longest = fit.plan().limits().maxModelLen();
        List<Matrix.Prefill> prefill = new ArrayList<>(cells.prefillContexts().size());
        for (long tokens : cells.prefillContexts()) {
            prefill.add(new Matrix.Prefill(
                    tokens, speed.filter(model -> boots && tokens < longest).map(model -> model.prefill(tokens))));
        }
        return prefill;
    }

    /** How fast the planned deployment runs; empty for an engine without coefficients or a card without known rates. */
    public Optional<SpeedModel> speed(Fit fit) {
        if (fit.scenario().accelerator().bandwidthBytesPerSecond() <= 0) {
            return Optional.empty();
        }
        return speeds.find(
                        fit.plan().engine(),
                        fit.scenario().accelerator(),
                        fit.scenario().model().id())
                .map(found -> SpeedModel.of(fit.scenario(), fit.plan(), found));
    }

    /**
     * The deployment that a request describes, its names looked up.
     *
     * @throws InputException for unknown names
     */
    public Scenario scenario(PlanRequest request) {
        return resolve(request).scenario();
    }

    /** A request with its names looked up. */
    private record Resolved(Engine engine, Scenario scenario, List<String> warnings) {}

    private Resolved resolve(PlanRequest request) {
        Engine engine = engine(request.engine());
        ModelSource.Found stored = models.find(request.model(), request.quantization());
        AcceleratorCatalog.Selection selection = selection(request);
        int count = request.gpu().count().orElse(selection.count());
        if (count < 1) {
            throw InputException.badInput("GPU count " + count + "; expected 1 or more");
        }
        ModelSource.Found found = loaded(engine, request, stored);
        Scenario scenario = new Scenario(
                found.model(),
                overridden(selection.accelerator(), request.gpu()),
                count,
                request.engineVersion(),
                request.arguments(),
                request.environment(),
                request.poolBytes(),
                request.gpu().memoryBytes().isPresent() ? List.of() : selection.mixed());
        List<String> warnings = new ArrayList<>(found.warnings());
        warnings.addAll(selection.warnings());
        return new Resolved(engine, scenario, warnings);
    }

    /** The model; a launch line may quantize it while it is loaded, unless it already is. */
    private ModelSource.Found loaded(Engine engine, PlanRequest request, ModelSource.Found stored) {
        if (request.quantization().isPresent() || stored.model().quantization().quantized()) {
            return stored;
        }
        Optional<String> onLoad = engine.quantizationOnLoad(request.arguments());
        return onLoad.isPresent() ? models.find(request.model(), onLoad) : stored;
    }

    /** With a pool read from a log, an unnamed card does no harm; it counts as one of the small ones then. */
    private AcceleratorCatalog.Selection selection(PlanRequest request) {
        PlanRequest.Gpu gpu = request.gpu();
        if (gpu.memoryBytes().isPresent() || request.poolBytes().isPresent()) {
            Optional<AcceleratorCatalog.Selection> unnamed =
                    accelerators.unnamed(gpu.name(), gpu.memoryBytes().orElse(SMALL_CARD_BYTES));
            if (unnamed.isPresent()) {
                return unnamed.get();
            }
        }
        return accelerators.select(gpu.name());
    }

    private Engine engine(String name) {
        for (Engine engine : engines) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        throw InputException.unsupported("engine '" + name + "' is not modelled; use "
                + String.join(", ", engines.stream().map(Engine::name).toList()));
    }

    private static Accelerator overridden(Accelerator accelerator, PlanRequest.Gpu gpu) {
        Accelerator card = accelerator;
        if (gpu.memoryBytes().isPresent()) {
            long bytes = gpu.memoryBytes().getAsLong();
            if (bytes <= 0) {
                throw InputException.badInput("GPU memory of " + bytes + " bytes; expected a positive number");
            }
            card = card.withMemoryBytes(bytes);
        }
        if (gpu.bandwidthBytesPerSecond().isPresent() || gpu.flops().isPresent()) {
            double bandwidth = gpu.bandwidthBytesPerSecond().orElse(card.bandwidthBytesPerSecond());
            card = card.withRates(bandwidth, scaled(card.compute(), gpu.flops()));
        }
        return card;
    }

    /** All rates of a card move with its clock, so one measured rate moves the others. */
    private static Accelerator.Compute scaled(Accelerator.Compute compute, OptionalDouble flops) {
        OptionalDouble known = compute.bf16().isPresent() ? compute.bf16() : compute.fp16();
        if (flops.isEmpty() || known.isEmpty()) {
            return compute;
        }
        return compute.times(flops.getAsDouble() / known.getAsDouble());
    }

    private static String reason(BootPlan plan) {
        if (plan.failure().isPresent()) {
            return plan.failure().get().message();
        }
        if (plan.risk().isPresent()) {
            BootFailure risk = plan.risk().get();
            return "starts at the expected pool, but not at the low end of its interval: " + risk.message();
        }
        return "starts, with room for " + plan.pool().tokens() + " tokens of KV cache";
    }
}
