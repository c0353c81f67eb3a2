package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.CompilationOptions.GraphMode;
import dev.kvcast.engine.vllm.KvLayout.StateMode;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.DataType;
import dev.kvcast.model.InputException;
import dev.kvcast.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies vLLM's defaults and consistency checks ({@code engine/arg_utils.py}, {@code config/vllm.py},
 * {@code model_executor/models/config.py}).
 */
public final class VllmSettingsResolver {

    private static final int BLACKWELL_DATA_CENTER = 10;

    private final VllmRules rules;
    private final VllmOptions options;
    private final ModelConfig model;
    private final Accelerator accelerator;
    private final List<String> warnings;

    private VllmSettingsResolver(VllmRules rules, VllmOptions options, ModelConfig model, Accelerator accelerator) {
        this.rules = rules;
        this.options = options;
        this.model = model;
        this.accelerator = accelerator;
        this.warnings = new ArrayList<>(options.warnings());
    }

    /**
     * The settings vLLM would serve with.
     *
     * @throws InputException for combinations that vLLM refuses before it loads anything
     */
    public static VllmSettings resolve(
            VllmRules rules, VllmOptions options, ModelConfig model, Accelerator accelerator) {
        return new VllmSettingsResolver(rules, options, model, accelerator).settings();
    }

    private VllmSettings settings() {
        releases();
        ParallelChecks.check(model, options.parallel());
        boolean prefixCaching = prefixCaching();
        BatchDefaults defaults = new BatchDefaults(rules, options, model, accelerator);
        VllmSettings.Batch batch = defaults.batch(chunkedPrefill());
        int drafts = speculativeTokens();
        boolean second = RunnerChoice.second(rules.version(), model, options);
        boolean async = asyncScheduling(second);
        boolean towerLoaded = model.encoder().present() && !options.multimodal().languageModelOnly();
        VllmSettings.Graphs graphs = graphs(batch, drafts, second);
        defaults.warnings().forEach(warnings::add);
        return new VllmSettings(
                rules,
                dtype(),
                options.memory().utilization().orElse(rules.defaultUtilization()),
                batch,
                new VllmSettings.Cache(kvDtype(), prefixCaching, stateMode(prefixCaching, drafts), hybridManager()),
                new VllmSettings.Steps(second, async, concurrentBatches(second, async)),
                graphs,
                options.parallel().ranks(),
                drafts,
                towerLoaded,
                towerLoaded
                        && !options.multimodal().skipProfiling()
                        && !options.multimodal().allowsNone(model.encoder().modalities()),
                warnings);
    }

    /** Flags that this release does not have yet, or no longer. */
    private void releases() {
        for (VllmFlag flag : options.given()) {
            if (flag.since().isPresent()
                    && rules.version().compareTo(flag.since().get()) < 0) {
                warnings.add(flag.dashed() + " came with vLLM " + flag.since().get() + "; " + rules.version()
                        + " does not have it");
            }
            if (flag.until().isPresent()
                    && rules.version().compareTo(flag.until().get()) >= 0) {
                warnings.add(flag.dashed() + " was removed in vLLM "
                        + flag.until().get() + "; " + rules.version() + " refuses it");
            }
        }
    }

    private DataType dtype() {
        DataType own = model.dtype() == DataType.FLOAT32 ? DataType.BFLOAT16 : model.dtype();
        boolean halfOnly = accelerator.computeCapability() > 0 && accelerator.computeCapability() < 80;
        if (options.model().dtype().isPresent()) {
            DataType given = options.model().dtype().get();
            if (halfOnly && given == DataType.BFLOAT16) {
                throw InputException.badInput("--dtype bfloat16 needs compute capability 8.0; " + accelerator.name()
                        + " has " + accelerator.computeCapability() / 10 + "." + accelerator.computeCapability() % 10
                        + "; use --dtype half");
            }
            return given;
        }
        return halfOnly && own == DataType.BFLOAT16 ? DataType.FLOAT16 : own;
    }

    private boolean chunkedPrefill() {
        boolean supported = !Attentions.encoderDecoder(model) && !Attentions.encoderOnly(model);
        return supported && options.scheduler().chunkedPrefill().orElse(true);
    }

    private boolean prefixCaching() {
        if (options.multimodal().encoderOnly()) {
            return false;
        }
        boolean unsupported =
                Attentions.attentionFree(model) || Attentions.encoderDecoder(model) || Attentions.encoderOnly(model);
        boolean byDefault = !unsupported && (rules.states().cachedByDefault() || !Attentions.recurrent(model));
        return options.cache().prefixCaching().orElse(byDefault);
    }

    private StateMode stateMode(boolean prefixCaching, int drafts) {
        CacheOptions.StateOptions states = options.cache().state();
        if (states.blockSize().isPresent() && !prefixCaching) {
            throw InputException.badInput("--mamba-block-size can only be set with --enable-prefix-caching");
        }
        if (!Attentions.recurrent(model)) {
            return StateMode.NONE;
        }
        if (!prefixCaching) {
            return rules.states().alignedDrafts() && drafts > 0 ? StateMode.ALIGN : StateMode.NONE;
        }
        StateMode wanted = states.mode().orElse(StateMode.NONE);
        if (wanted == StateMode.ALL && !rules.states().allMode()) {
            throw InputException.badInput(
                    "--mamba-cache-mode is 'all'; vLLM " + rules.version() + " expects align or none");
        }
        if (wanted == StateMode.NONE) {
            return rules.states().alignMode() ? StateMode.ALIGN : StateMode.ALL;
        }
        if (wanted == StateMode.ALIGN && options.scheduler().chunkedPrefill().equals(Optional.of(false))) {
            throw InputException.badInput(
                    "--mamba-cache-mode align needs chunked prefill; drop --no-enable-chunked-prefill");
        }
        return wanted;
    }

    private boolean hybridManager() {
        return rules.hybridAllocator()
                && !options.cache().hybridManagerDisabled().orElse(false);
    }

    private String kvDtype() {
        String given = options.cache().dtype();
        if (given.startsWith("nvfp4") && !given.endsWith("_ds_mla") && Attentions.latent(model)) {
            throw InputException.badInput("--kv-cache-dtype " + given
                    + " does not work with latent attention (MLA); use fp8, auto or nvfp4_ds_mla");
        }
        return given.equals("auto") ? model.kvCacheDtype().orElse("auto") : given;
    }

    private int speculativeTokens() {
        if (options.speculative().isEmpty()) {
            return 0;
        }
        SpeculativeOptions drafts = options.speculative().get();
        if (drafts.tokens().isEmpty()) {
            int own = Math.max(
                    1, drafts.method().equals("mtp") ? model.draftLayers().size() : 1);
            warnings.add("--speculative-config gives no num_speculative_tokens; " + own + " assumed");
            return own;
        }
        return drafts.tokens().getAsInt();
    }

    private boolean asyncScheduling(boolean second) {
        Optional<Boolean> given = options.scheduler().asyncScheduling();
        boolean drafting =
                options.speculative().map(SpeculativeOptions::asynchronous).orElse(true);
        if (given.equals(Optional.of(true)) && !drafting) {
            throw InputException.badInput(
                    "--async-scheduling works only with EAGLE, MTP, draft-model, GPU n-gram, DSpark"
                            + " and DFlash speculation; drop it or change the method");
        }
        boolean pipelined = options.parallel().ranks().pipeline() > 1 && !second;
        boolean possible = drafting && !pipelined && !options.model().pooling();
        return given.orElse(rules.asyncByDefault() && possible);
    }

    private int concurrentBatches(boolean second, boolean async) {
        int stages = options.parallel().ranks().pipeline();
        if (!async) {
            return stages;
        }
        if (second) {
            return stages + 1;
        }
        return stages == 1 ? 2 : stages;
    }

    private VllmSettings.Graphs graphs(VllmSettings.Batch batch, int drafts, boolean second) {
        GraphMode mode = graphMode();
        if (mode == GraphMode.NONE) {
            return new VllmSettings.Graphs(mode, List.of(), false);
        }
        boolean blackwell = accelerator.computeCapability() / 10 == BLACKWELL_DATA_CENTER;
        boolean interactive = options.scheduler().mode() == SchedulerOptions.Mode.INTERACTIVITY;
        List<Integer> sizes = CaptureSizes.of(
                rules.captures(),
                options.compilation(),
                new CaptureSizes.Batch(batch.maxSequences(), batch.maxBatchedTokens(), drafts, blackwell, interactive));
        boolean estimated = options.environment().graphEstimate().orElse(rules.graphsSubtracted());
        return new VllmSettings.Graphs(mode, sizes, estimated && (!second || rules.secondRunnerEstimatesGraphs()));
    }

    private GraphMode graphMode() {
        CompilationOptions compilation = options.compilation();
        if (compilation.enforceEager()) {
            return GraphMode.NONE;
        }
        if (compilation.graphMode().isPresent()) {
            return compilation.graphMode().get();
        }
        if (compilation.level() == 0) {
            return GraphMode.NONE;
        }
        boolean pieces = !rules.captures().fullByDefault() || compilation.level() == 1;
        return pieces ? GraphMode.PIECEWISE : GraphMode.FULL_AND_PIECEWISE;
    }
}
