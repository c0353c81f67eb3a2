package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.Weight.Split;

/** Vision towers of Qwen2.5-VL, Qwen3-VL and Qwen3.5 (vLLM 0.32 {@code qwen2_5_vl.py}, {@code qwen3_vl.py}). */
final class QwenTower {

    private QwenTower() {}

    /** Qwen3-VL and Qwen3.5. */
    static void addThird(ModelOutline model, ConfigFields vision) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(1152, "hidden_size");
        long inner = vision.sizeOr(width == 1152 ? 4304 : Math.toIntExact(4 * width), "intermediate_size");
        long patch = vision.sizeOr(16, "patch_size");
        long merged = width * square(vision.sizeOr(2, "spatial_merge_size"));
        weights.enterModule("model.visual.");
        long patchInput = patch * patch * vision.sizeOr(3, "in_channels") * vision.sizeOr(2, "temporal_patch_size");
        TowerParts.dense(weights, "patch_embed.proj", width, patchInput, true, Split.REPLICATED);
        weights.matrix(
                Component.VISION, "pos_embed", vision.sizeOr(2304, "num_position_embeddings"), width, Split.REPLICATED);
        for (int index = 0; index < vision.sizeOr(27, "depth"); index++) {
            TowerParts.norm(weights, "blocks.*.norm1", width, true);
            TowerParts.norm(weights, "blocks.*.norm2", width, true);
            TowerParts.dense(weights, "blocks.*.attn.qkv", 3 * width, width, true, Split.COLUMN);
            TowerParts.dense(weights, "blocks.*.attn.proj", width, width, true, Split.ROW);
            TowerParts.dense(weights, "blocks.*.mlp.linear_fc1", inner, width, true, Split.COLUMN);
            TowerParts.dense(weights, "blocks.*.mlp.linear_fc2", width, inner, true, Split.ROW);
        }
        long output = vision.sizeOr(model.hiddenSize(), "out_hidden_size");
        merger(weights, "merger.", width, merged, output);
        for (int index = 0; index < vision.sizes("deepstack_visual_indexes").size(); index++) {
            merger(weights, "deepstack_merger_list.*.", merged, merged, output);
        }
    }

    private static void merger(WeightCollector weights, String prefix, long normWidth, long merged, long output) {
        TowerParts.norm(weights, prefix + "norm", normWidth, true);
        TowerParts.dense(weights, prefix + "linear_fc1", merged, merged, true, Split.COLUMN);
        TowerParts.dense(weights, prefix + "linear_fc2", output, merged, true, Split.ROW);
    }

    /** Qwen2.5-VL and the vision part of Qwen2.5-Omni. */
    static void addSecond(ModelOutline model, ConfigFields vision) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(1280, "hidden_size");
        long inner = vision.sizeOr(3420, "intermediate_size");
        long patch = vision.sizeOr(14, "patch_size");
        long merged = width * square(vision.sizeOr(2, "spatial_merge_size"));
        weights.enterModule("visual.");
        long patchInput = 3L * vision.sizeOr(2, "temporal_patch_size") * patch * patch;
        TowerParts.dense(weights, "patch_embed.proj", width, patchInput, false, Split.REPLICATED);
        for (int index = 0; index < vision.sizeOr(32, "depth"); index++) {
            TowerParts.norm(weights, "blocks.*.norm1", width, false);
            TowerParts.norm(weights, "blocks.*.norm2", width, false);
            TowerParts.dense(weights, "blocks.*.attn.qkv", 3 * width, width, true, Split.COLUMN);
            TowerParts.dense(weights, "blocks.*.attn.proj", width, width, true, Split.ROW);
            TowerParts.dense(weights, "blocks.*.mlp.gate_proj", inner, width, true, Split.COLUMN);
            TowerParts.dense(weights, "blocks.*.mlp.up_proj", inner, width, true, Split.COLUMN);
            TowerParts.dense(weights, "blocks.*.mlp.down_proj", width, inner, true, Split.ROW);
        }
        TowerParts.norm(weights, "merger.ln_q", width, false);
        TowerParts.dense(weights, "merger.mlp.0", merged, merged, true, Split.COLUMN);
        TowerParts.dense(
                weights, "merger.mlp.2", vision.sizeOr(model.hiddenSize(), "out_hidden_size"), merged, true, Split.ROW);
    }

    /** Qwen2-VL. */
    static void addFirst(ModelOutline model, ConfigFields vision) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(1280, "embed_dim");
        long inner = width * vision.sizeOr(4, "mlp_ratio");
        long patch = vision.sizeOr(14, "patch_size", "spatial_patch_size");
        long merged = width * square(vision.sizeOr(2, "spatial_merge_size"));
        weights.enterModule("visual.");
        TowerParts.dense(weights, "patch_embed.proj", width, 6 * patch * patch, false, Split.REPLICATED);
        for (int index = 0; index < vision.sizeOr(32, "depth"); index++) {
            TowerParts.norm(weights, "blocks.*.norm1", width, true);
            TowerParts.norm(weights, "blocks.*.norm2", width, true);
            TowerParts.dense(weights, "blocks.*.attn.qkv", 3 * width, width, true, Split.COLUMN);
            TowerParts.dense(weights, "blocks.*.attn.proj", width, width, true, Split.ROW);
            TowerParts.dense(weights, "blocks.*.mlp.fc1", inner, width, true, Split.COLUMN);
            TowerParts.dense(weights, "blocks.*.mlp.fc2", width, inner, true, Split.ROW);
        }
        TowerParts.norm(weights, "merger.ln_q", width, true);
        TowerParts.dense(weights, "merger.mlp.0", merged, merged, true, Split.COLUMN);
        TowerParts.dense(weights, "merger.mlp.2", model.hiddenSize(), merged, true, Split.ROW);
    }

    private static long square(long value) {
        return value * value;
    }
}
