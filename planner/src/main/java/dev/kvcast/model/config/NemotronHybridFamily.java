package dev.kvcast.model.config;

import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.StateShape;
import dev.kvcast.model.Weight.Split;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Nemotron-H and Nemotron 3: every layer is one block, a Mamba 2 mixer, attention, a dense block or experts, in the order
 * of {@code hybrid_override_pattern} or {@code layers_block_type}. Sources: vLLM 0.32 {@code nemotron_h.py},
 * {@code nemotron_h_mtp.py}.
 */
final class NemotronHybridFamily implements ArchitectureFamily {

    private static final Set<Trait> TRAITS =
            EnumSet.of(Trait.PLAIN_MLP, Trait.ROUTER_BIAS, Trait.ATTENTION_BIAS_FIELD, Trait.MLP_BIAS_FIELD);

    @Override
    public void describe(ModelOutline model) {
        ConfigFields text = model.text();
        List<String> blocks = blocks(text, "hybrid_override_pattern", "layers_block_type");
        if (blocks.isEmpty()) {
            throw InputException.unknownArchitecture(
                    "the config does not say which layers are Mamba, attention or experts;"
                            + " add hybrid_override_pattern or layers_block_type");
        }
        if (blocks.size() != model.layerCount()) {
            throw InputException.badInput("the layer pattern has " + blocks.size() + " blocks for num_hidden_layers "
                    + model.layerCount() + "; give one per layer (hybrid_override_pattern or layers_block_type)");
        }
        FeedForwardBlock feedForward = new FeedForwardBlock(model, TRAITS);
        for (int index = 0; index < blocks.size(); index++) {
            model.weights().enterLayer(index);
            model.weights().vector(Component.NORM, "norm", model.hiddenSize());
            model.addLayer(addBlock(model, blocks.get(index), feedForward));
        }
        model.addEnds(false, false);
        addDraft(model, feedForward);
    }

    private static void addDraft(ModelOutline model, FeedForwardBlock feedForward) {
        ConfigFields text = model.text();
        if (text.sizeOr(0, "num_nextn_predict_layers") == 0) {
            return;
        }
        WeightCollector weights = model.weights();
        long hidden = model.hiddenSize();
        List<String> blocks = blocks(text, "mtp_hybrid_override_pattern", "mtp_layers_block_type");
        for (int index = 0; index < blocks.size(); index++) {
            weights.enterDraft("mtp.layers." + index + ".");
            weights.vector(Component.NORM, "norm", hidden);
            if (index == 0) {
                weights.vector(Component.NORM, "enorm", hidden);
                weights.vector(Component.NORM, "hnorm", hidden);
                weights.linear(Component.MTP, "eh_proj", hidden, 2 * hidden, Split.COLUMN);
            }
            if (index == blocks.size() - 1) {
                weights.vector(Component.NORM, "final_layernorm", hidden);
            }
            model.addDraftLayer(addBlock(model, blocks.get(index), feedForward));
        }
    }

    private static List<String> blocks(ConfigFields text, String patternField, String listField) {
        List<String> listed = text.texts(listField);
        if (!listed.isEmpty()) {
            return listed;
        }
        List<String> blocks = new ArrayList<>();
        for (char letter : text.text(patternField).orElse("").toCharArray()) {
            blocks.add(
                    switch (letter) {
                        case 'M' -> "mamba";
                        case '*' -> "attention";
                        case '-' -> "mlp";
                        case 'E' -> "moe";
                        default ->
                            throw InputException.badInput(
                                    patternField + " has the letter \"" + letter + "\"; expected M, *, - or E");
                    });
        }
        return blocks;
    }

    private static DecoderLayer addBlock(ModelOutline model, String block, FeedForwardBlock feedForward) {
        ConfigFields text = model.text();
        switch (block) {
            case "mamba" -> {
                StateShape.Mamba2 state = new StateShape.Mamba2(
                        text.size("mamba_num_heads"),
                        text.size("mamba_head_dim"),
                        text.size("ssm_state_size"),
                        text.sizeOrOne("n_groups"),
                        text.size("conv_kernel"));
                StateBlocks.addMamba2(
                        model, "mixer.", state, text.flag("use_conv_bias", true), text.flag("use_bias", false), true);
                return new DecoderLayer(List.of(new Mixer.Recurrent(state)), new FeedForward.None());
            }
            case "attention" -> {
                AttentionShape shape = AttentionBlock.shape(model);
                AttentionBlock.add(model, "mixer.", shape, TRAITS);
                return new DecoderLayer(List.of(new Mixer.Full(shape)), new FeedForward.None());
            }
            case "mlp" -> {
                return new DecoderLayer(List.of(), feedForward.addDense("mixer.", text.size("intermediate_size")));
            }
            case "moe" -> {
                return new DecoderLayer(List.of(), feedForward.addExperts("mixer."));
            }
            default ->
                throw InputException.unknownArchitecture("layers_block_type has \"" + block
                        + "\"; kvcast knows mamba, attention, mlp and moe for this architecture");
        }
    }
}
