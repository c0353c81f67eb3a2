package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.Weight.Split;

/** CLIP-style vision towers: LLaVA's CLIP and Llama 4's own. */
final class ClipTowers {

    private ClipTowers() {}

    /** CLIP ViT-L/14-336 and LLaVA's two-layer projector. */
    static void addClip(ModelOutline model, ConfigFields vision) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(1024, "hidden_size");
        long inner = vision.sizeOr(4096, "intermediate_size");
        long patch = vision.sizeOr(14, "patch_size");
        long side = vision.sizeOr(336, "image_size") / patch;
        weights.enterModule("vision_tower.vision_model.");
        weights.vector(Component.VISION, "embeddings.class_embedding", width);
        weights.matrix(Component.VISION, "embeddings.patch_embedding", width, 3 * patch * patch, Split.REPLICATED);
        weights.matrix(Component.VISION, "embeddings.position_embedding", side * side + 1, width, Split.REPLICATED);
        TowerParts.norm(weights, "pre_layrnorm", width, true);
        addLayers(weights, vision.sizeOr(24, "num_hidden_layers"), width, inner, "encoder.layers.*.");
        TowerParts.norm(weights, "post_layernorm", width, true);
        weights.enterModule("multi_modal_projector.");
        TowerParts.dense(weights, "linear_1", model.hiddenSize(), width, true, Split.COLUMN);
        TowerParts.dense(weights, "linear_2", model.hiddenSize(), model.hiddenSize(), true, Split.ROW);
        weights.enterModule("");
        weights.vector(Component.VISION, "image_newline", model.hiddenSize());
    }

    /** Llama 4: the same blocks, a pixel-shuffle adapter and one projection. */
    static void addLlama4(ModelOutline model, ConfigFields vision) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(1408, "hidden_size");
        long inner = vision.sizeOr(5632, "intermediate_size");
        long patch = vision.sizeOr(14, "patch_size");
        long side = vision.sizeOr(336, "image_size") / patch;
        weights.enterModule("vision_model.");
        TowerParts.dense(weights, "patch_embedding.linear", width, 3 * patch * patch, false, Split.REPLICATED);
        weights.vector(Component.VISION, "class_embedding", width);
        weights.matrix(Component.VISION, "positional_embedding_vlm", side * side + 1, width, Split.REPLICATED);
        TowerParts.norm(weights, "layernorm_pre", width, true);
        TowerParts.norm(weights, "layernorm_post", width, true);
        addLayers(weights, vision.sizeOr(34, "num_hidden_layers"), width, inner, "model.layers.*.");
        long projected = vision.sizeOr(4096, "projector_input_dim");
        TowerParts.dense(weights, "vision_adapter.mlp.fc1", projected, inner, false, Split.COLUMN);
        TowerParts.dense(
                weights,
                "vision_adapter.mlp.fc2",
                vision.sizeOr(4096, "projector_output_dim"),
                projected,
                false,
                Split.ROW);
        weights.enterModule("multi_modal_projector.");
        TowerParts.dense(
                weights,
                "linear_1",
                model.hiddenSize(),
                vision.sizeOr(4096, "vision_output_dim"),
                false,
                Split.REPLICATED);
    }

    private static void addLayers(WeightCollector weights, int count, long width, long inner, String layer) {
        for (int index = 0; index < count; index++) {
            TowerParts.norm(weights, layer + "layer_norm1", width, true);
            TowerParts.norm(weights, layer + "layer_norm2", width, true);
            for (String name : new String[] {"q_proj", "k_proj", "v_proj"}) {
                TowerParts.dense(weights, layer + "self_attn." + name, width, width, true, Split.COLUMN);
            }
            TowerParts.dense(weights, layer + "self_attn.out_proj", width, width, true, Split.ROW);
            TowerParts.dense(weights, layer + "mlp.fc1", inner, width, true, Split.COLUMN);
            TowerParts.dense(weights, layer + "mlp.fc2", width, inner, true, Split.ROW);
        }
    }
}
