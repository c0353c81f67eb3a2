package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.DataType;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Weight.Split;
import dev.kvcast.model.WeightScheme;
import java.util.List;
import java.util.Set;

/** Dense blocks and mixtures of experts: which layer has which, and their tensors. */
final class FeedForwardBlock {

    private final ModelOutline model;
    private final Set<Trait> traits;
    private final int matrices;
    private final int experts;
    private final List<Integer> sparsePattern;
    private final List<Integer> denseLayers;
    private final List<String> kinds;

    FeedForwardBlock(ModelOutline model, Set<Trait> traits) {
        this.model = model;
        this.traits = traits;
        this.matrices = traits.contains(Trait.PLAIN_MLP) ? 2 : 3;
        ConfigFields text = model.text();
        this.experts = text.sizeOr(
                0, "num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts", "num_routed_experts");
        this.sparsePattern = text.isList("moe_layer_freq")
                ? model.perLayer("moe_layer_freq", text.sizes("moe_layer_freq"), 0)
                : List.of();
        this.denseLayers = text.sizes("mlp_only_layers");
        this.kinds = model.perLayer("mlp_layer_types", text.texts("mlp_layer_types"), 0);
    }

    /** Whether the model has routed experts at all. */
    boolean hasExperts() {
        return experts > 1;
    }

    /** Whether layer {@code index} is a mixture of experts. */
    boolean sparse(int index) {
        ConfigFields text = model.text();
        if (!hasExperts()) {
            return false;
        }
        if (!kinds.isEmpty() && index < kinds.size()) {
            return kinds.get(index).equals("sparse");
        }
        if (!sparsePattern.isEmpty() && index < sparsePattern.size()) {
            return sparsePattern.get(index) != 0;
        }
        if (text.isList("moe_layers")) {
            return text.sizes("moe_layers").contains(index);
        }
        if (denseLayers.contains(index)
                || index < text.sizeOr(0, "first_k_dense_replace", "num_dense_layers", "moe_layer_start_index")) {
            return false;
        }
        if (text.has("moe_layer_freq") && !text.isList("moe_layer_freq")) {
            return index % text.size("moe_layer_freq") == 0;
        }
        int step = text.sizeOrOne("decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval");
        return (index + 1) % step == 0;
    }

    /** The block of layer {@code index}, its tensors added under {@code prefix} (ends with a dot). */
    FeedForward add(int index, String prefix) {
        return sparse(index) ? addExperts(prefix) : addDense(prefix, denseWidth());
    }

    private int denseWidth() {
        return model.text()
                .size(
                        "dense_intermediate_size",
                        "intermediate_size_mlp",
                        "intermediate_size",
                        "ffn_hidden_size",
                        "n_inner",
                        "ffn_dim",
                        "decoder_ffn_dim");
    }

    /** A dense block of the given inner width. */
    FeedForward addDense(String prefix, int width) {
        boolean bias = traits.contains(Trait.MLP_BIAS)
                || (traits.contains(Trait.MLP_BIAS_FIELD) && model.text().flag("mlp_bias", false));
        addDenseTensors(model.weights(), Component.MLP, prefix, model.hiddenSize(), width, matrices, bias);
        return new FeedForward.Dense(width, matrices);
    }

    /** Tensors of one dense block. */
    static void addDenseTensors(
            WeightCollector weights,
            Component component,
            String prefix,
            long hidden,
            long width,
            int matrices,
            boolean bias) {
        if (matrices == 3) {
            weights.linear(component, prefix + "gate_proj", width, hidden, Split.COLUMN);
        }
        weights.linear(component, prefix + "up_proj", width, hidden, Split.COLUMN);
        weights.linear(component, prefix + "down_proj", hidden, width, Split.ROW);
        if (bias) {
            if (matrices == 3) {
                weights.vector(component, prefix + "gate_proj.bias", width, Split.COLUMN, 0);
            }
            weights.vector(component, prefix + "up_proj.bias", width, Split.COLUMN, 0);
            weights.vector(component, prefix + "down_proj.bias", hidden);
        }
    }

    /** A mixture of experts with its router and shared experts. */
    FeedForward addExperts(String prefix) {
        ConfigFields text = model.text();
        int width = text.size("moe_intermediate_size", "expert_intermediate_size", "intermediate_size");
        int latent = text.sizeOr(0, "moe_latent_size", "routed_expert_hidden_size");
        int input = latent > 0 ? latent : model.hiddenSize();
        addRouter(prefix, latent);
        addRoutedTensors(model.weights(), prefix, experts, width, input, matrices);
        if (traits.contains(Trait.EXPERT_BIAS)) {
            WeightCollector weights = model.weights();
            weights.add(
                    Component.EXPERTS,
                    prefix + "experts.gate_up_proj_bias",
                    2L * width,
                    1,
                    experts,
                    Split.EXPERT_COLUMN,
                    0,
                    false,
                    new WeightScheme.Original());
            weights.add(
                    Component.EXPERTS,
                    prefix + "experts.down_proj_bias",
                    input,
                    1,
                    experts,
                    Split.EXPERT_ROW,
                    0,
                    false,
                    new WeightScheme.Original());
        }
        int shared = sharedWidth(width);
        if (shared > 0) {
            addDenseTensors(
                    model.weights(),
                    Component.SHARED_EXPERTS,
                    prefix + sharedName(),
                    model.hiddenSize(),
                    shared,
                    matrices,
                    false);
            if (traits.contains(Trait.SHARED_GATE)) {
                model.weights()
                        .linear(
                                Component.ROUTER,
                                prefix + "shared_expert_gate",
                                1,
                                model.hiddenSize(),
                                Split.REPLICATED);
            }
        }
        return new FeedForward.Experts(experts, perToken(), width, shared, input, matrices);
    }

    private int perToken() {
        ConfigFields text = model.text();
        if (text.isList("moe_topk")) {
            return text.sizes("moe_topk").stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElseThrow(() -> InputException.badInput("moe_topk is empty; give the experts per token"));
        }
        return text.size(
                "num_experts_per_tok",
                "num_experts_per_token",
                "experts_per_token",
                "top_k_experts",
                "moe_topk",
                "moe_top_k",
                "moe_k");
    }

    private String sharedName() {
        return model.text().has("shared_expert_intermediate_size") ? "shared_expert." : "shared_experts.";
    }

    private int sharedWidth(int expertWidth) {
        ConfigFields text = model.text();
        if (text.has("moe_shared_expert_intermediate_size")) {
            return text.sizeOr(0, "moe_shared_expert_intermediate_size")
                    * Math.max(1, text.sizeOr(1, "n_shared_experts", "num_shared_experts"));
        }
        if (text.has("shared_expert_intermediate_size") || text.has("share_expert_dim")) {
            return text.sizeOr(0, "shared_expert_intermediate_size", "share_expert_dim");
        }
        if (traits.contains(Trait.SHARED_EXPERT)) {
            return expertWidth;
        }
        if (traits.contains(Trait.SHARED_SIZE_FIELD)) {
            return text.sizeOr(0, "shared_intermediate_size");
        }
        return Math.multiplyExact(
                expertWidth,
                text.sizeOr(
                        0, "n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"));
    }

    private void addRouter(String prefix, int latent) {
        WeightCollector weights = model.weights();
        weights.matrix(Component.ROUTER, prefix + "gate", experts, model.hiddenSize(), Split.REPLICATED);
        if (traits.contains(Trait.EXPERT_BIAS)) {
            weights.vector(Component.ROUTER, prefix + "gate.bias", experts);
        }
        if (traits.contains(Trait.ROUTER_BIAS)) {
            weights.fixed(Component.ROUTER, prefix + "gate.e_score_correction_bias", experts, 1, DataType.FLOAT32);
        }
        if (latent > 0) {
            weights.linear(Component.EXPERTS, prefix + "fc1_latent_proj", latent, model.hiddenSize(), Split.REPLICATED);
            weights.linear(Component.EXPERTS, prefix + "fc2_latent_proj", model.hiddenSize(), latent, Split.REPLICATED);
        }
    }

    /** Tensors of all routed experts of one layer. */
    static void addRoutedTensors(
            WeightCollector weights, String prefix, int experts, long width, long input, int matrices) {
        String each = prefix + "experts.*.";
        if (matrices == 3) {
            weights.experts(Component.EXPERTS, each + "gate_proj", width, input, experts, Split.EXPERT_COLUMN);
        }
        weights.experts(Component.EXPERTS, each + "up_proj", width, input, experts, Split.EXPERT_COLUMN);
        weights.experts(Component.EXPERTS, each + "down_proj", input, width, experts, Split.EXPERT_ROW);
    }
}
