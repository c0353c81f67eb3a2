package dev.kvcast.cli;

import dev.kvcast.engine.LaunchCommand;
import dev.kvcast.engine.LaunchLine;
import dev.kvcast.hardware.io.NvidiaSmi;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.ModelSource;
import dev.kvcast.plan.PlanRequest;
import dev.kvcast.throughput.CoefficientLibrary;
import dev.kvcast.throughput.io.CoefficientsFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options that describe a deployment; the launch line after {@code --} says most of it. */
public final class ScenarioOptions {

    private static final String DEFAULT_ENGINE = "vllm";

    /** For verbs that predict no speed and should not read its coefficients. */
    static final CoefficientLibrary NO_SPEEDS = new CoefficientLibrary(List.of());

    private final CliOption<String> model =
            CliOption.text("--model", "NAME", "Model, checkpoint or folder; the launch line's own where it names one.");
    private final CliOption<String> quantization =
            CliOption.text("--weights", "KIND", "Quantization that replaces the checkpoint's (fp8, awq, nvfp4, ...).");
    private final CliOption<String> gpu = CliOption.text(
            "--gpu", "NAME[xN]", "Card and how many (\"RTX 3090x2\"); this machine's where nvidia-smi knows it.");
    private final CliOption<Long> gpuMemory =
            CliOption.number("--gpu-memory-bytes", "N", "Memory that the driver reports for one card.");
    private final CliOption<Double> gpuBandwidth =
            CliOption.decimal("--gpu-bandwidth", "GB/S", "Memory bandwidth of one card, in 10^9 bytes per second.");
    private final CliOption<Double> gpuFlops =
            CliOption.decimal("--gpu-flops", "TFLOPS", "Dense 16-bit rate of one card, in 10^12 per second.");
    private final CliOption<String> engine =
            CliOption.text("--engine", "NAME", "Serving engine (default: the launch line's, else vllm).");
    private final CliOption<String> version =
            CliOption.text("--engine-version", "VERSION", "Its release, such as 0.32.0 (default: the newest known).");
    private final CliOption<Long> poolBytes =
            CliOption.number("--kv-pool-bytes", "N", "KV-cache memory of one card as its boot log printed it.");
    private final CliOption<Path> models =
            CliOption.path("--models", "DIR", "Folder of own models, laid out like the packaged ones.");
    private final CliOption<Path> calibration = CliOption.path(
            "--calibration", "FILE", "Speed coefficients that 'calibrate' wrote; they win over the packaged.");
    private final CliOption<Boolean> offline = CliOption.flag("--offline", "Ask no model hub.");

    /** Creates the options of one verb. */
    public ScenarioOptions() {}

    /** Adds the options to a verb's description. */
    public void addTo(CommandSpec spec) {
        spec.addOption(model.spec())
                .addOption(quantization.spec())
                .addOption(gpu.spec())
                .addOption(gpuMemory.spec())
                .addOption(gpuBandwidth.spec())
                .addOption(gpuFlops.spec())
                .addOption(engine.spec())
                .addOption(version.spec())
                .addOption(poolBytes.spec())
                .addOption(models.spec())
                .addOption(calibration.spec())
                .addOption(offline.spec());
    }

    /** Where models come from. */
    public ModelSource models(ParseResult arguments, Invocation invocation) {
        return new Models(
                models.in(arguments),
                CliOption.isOn(offline, arguments),
                invocation.terminal().environment());
    }

    /** Models that are at hand without asking a hub. */
    public ModelSource localModels(ParseResult arguments, Invocation invocation) {
        return new Models(models.in(arguments), true, invocation.terminal().environment());
    }

    /** Speed coefficients: a calibration's, then the packaged ones. */
    public CoefficientLibrary speeds(ParseResult arguments) {
        CoefficientLibrary packaged = CoefficientsFile.packaged();
        return calibration
                .in(arguments)
                .map(CoefficientsFile::read)
                .map(packaged::with)
                .orElse(packaged);
    }

    /** What was asked, options before the launch line. */
    public PlanRequest request(ParseResult arguments, Invocation invocation) {
        return request(arguments, invocation, ScenarioDefaults.NONE);
    }

    /** What was asked: options before the launch line, that before the defaults. */
    public PlanRequest request(ParseResult arguments, Invocation invocation, ScenarioDefaults defaults) {
        List<String> words = invocation.engineCommand();
        Optional<LaunchCommand> command = words.isEmpty()
                ? defaults.launchCommand().map(LaunchLine::parse)
                : Optional.of(LaunchLine.parse(words));
        String name = model.in(arguments)
                .or(() -> command.flatMap(LaunchCommand::model))
                .or(defaults::model)
                .orElseThrow(() ->
                        InputException.badInput("no model given; add --model NAME, or the launch command after '--'"));
        String engineName = engine.in(arguments)
                .or(() -> command.map(LaunchCommand::engine))
                .or(defaults::engine)
                .orElse(DEFAULT_ENGINE);
        calibration
                .in(arguments)
                .ifPresent(file -> CoefficientsFile.read(file).requireEngine(engineName, file.toString()));
        return new PlanRequest(
                Optional.empty(),
                engineName,
                version.in(arguments)
                        .or(() -> command.flatMap(LaunchCommand::version))
                        .or(defaults::engineVersion),
                name,
                quantization.in(arguments),
                gpu(arguments, command, defaults),
                command.map(LaunchCommand::arguments).orElse(List.of()),
                command.map(LaunchCommand::environment).orElse(Map.of()),
                poolBytes.in(arguments).map(OptionalLong::of).orElse(OptionalLong.empty()));
    }

    private PlanRequest.Gpu gpu(ParseResult arguments, Optional<LaunchCommand> command, ScenarioDefaults defaults) {
        OptionalInt limited =
                command.flatMap(LaunchCommand::gpus).map(OptionalInt::of).orElse(OptionalInt.empty());
        Optional<String> named = gpu.in(arguments);
        OptionalInt known =
                defaults.gpu().isPresent() && defaults.gpuCount().isPresent() ? defaults.gpuCount() : limited;
        OptionalInt count = named.isPresent() ? OptionalInt.empty() : known;
        return new PlanRequest.Gpu(
                named.or(defaults::gpu).orElseGet(ScenarioOptions::installedCards),
                count,
                gpuMemory.in(arguments).map(OptionalLong::of).orElse(OptionalLong.empty()),
                scaled(gpuBandwidth, arguments, 1e9),
                scaled(gpuFlops, arguments, 1e12));
    }

    private static final double LEAST_RATE = 1e-3;
    private static final double MOST_RATE = 1e9;

    private static OptionalDouble scaled(CliOption<Double> option, ParseResult arguments, double unit) {
        Optional<Double> value = option.in(arguments);
        if (value.isPresent() && !(value.get() >= LEAST_RATE && value.get() <= MOST_RATE)) {
            throw InputException.badInput(
                    option.spec().longestName() + " is " + value.get() + "; expected 0.001 to 1e9");
        }
        return value.map(number -> OptionalDouble.of(number * unit)).orElse(OptionalDouble.empty());
    }

    /** The cards of this machine, all of the first one's kind. */
    private static String installedCards() {
        List<NvidiaSmi.Card> cards = NvidiaSmi.cards();
        if (cards.isEmpty()) {
            throw InputException.badInput(
                    "no GPU given and nvidia-smi finds none here; add --gpu NAME (see 'kvcast gpus')");
        }
        String first = cards.get(0).name();
        long same = cards.stream().filter(card -> card.name().equals(first)).count();
        return first + "x" + same;
    }
}
