package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Weight.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Weights of vision towers and their projectors, and how many tokens an image can become. */
final class VisionTowers {

    private VisionTowers() {}

    /** What the front end takes. */
    static ModelConfig.Encoder encoder(ConfigFields root) {
        ConfigFields outer = root.object("thinker_config").orElse(root);
        List<String> modalities = new ArrayList<>();
        Optional<ConfigFields> vision = outer.object("vision_config");
        String type = root.text("model_type").orElse("");
        if (vision.isPresent()) {
            modalities.add("image");
            if (type.startsWith("qwen") || type.startsWith("gemma4") || type.startsWith("kimi")) {
                modalities.add("video");
            }
        }
        if (outer.object("audio_config").isPresent()) {
            modalities.add("audio");
        }
        return modalities.isEmpty()
                ? ModelConfig.Encoder.NONE
                : new ModelConfig.Encoder(
                        modalities,
                        vision.map(tower -> imageTokens(root, tower)).orElse(0),
                        patchesPerToken(type),
                        vision.map(tower -> tower.sizeOr(0, "hidden_size", "embed_dim"))
                                .orElse(0),
                        vision.map(tower -> tower.sizeOr(0, "intermediate_size"))
                                .orElse(0));
    }

    /** Patches that each tower merges into one token; 2 x 2 where nothing else is known. */
    private static int patchesPerToken(String type) {
        if (type.startsWith("gemma3")) {
            return 16;
        }
        if (type.startsWith("gemma4")) {
            return 9;
        }
        return type.startsWith("llava") ? 1 : 4;
    }

    /** Most tokens of one image at the processor's default limits. */
    private static int imageTokens(ConfigFields root, ConfigFields vision) {
        String type = root.text("model_type").orElse("");
        if (type.startsWith("gemma3")) {
            return root.sizeOr(256, "mm_tokens_per_image");
        }
        if (type.startsWith("gemma4")) {
            return root.sizeOr(280, "vision_soft_tokens_per_image");
        }
        if (type.startsWith("qwen")) {
            return 16384;
        }
        // Tiled processors: an image becomes several tiles of the tower's own size.
        switch (type) {
            case "mistral3" -> {
                return 3025;
            }
            case "llama4" -> {
                return 2448;
            }
            case "llava_next" -> {
                return 2880;
            }
            default -> {}
        }
        int size = vision.isList("image_size") ? 0 : vision.sizeOr(0, "image_size");
        int patch = Math.max(1, vision.sizeOr(14, "patch_size"));
        int merge = Math.max(1, root.sizeOr(1, "spatial_merge_size"));
        return (size / patch / merge) * (size / patch / merge);
    }

    /** Adds the tower that {@code vision_config} describes; unknown towers add nothing and are left to the warning. */
    static void add(ModelOutline model, ConfigFields root) {
        ConfigFields outer = root.object("thinker_config").orElse(root);
        Optional<ConfigFields> vision = outer.object("vision_config");
        Optional<ConfigFields> audio = outer.object("audio_config");
        if (audio.isPresent() && model.architecture().startsWith("Qwen2")) {
            AudioTowers.addWhisper(model, audio.get());
        }
        if (vision.isEmpty()) {
            return;
        }
        String type =
                vision.get().text("model_type").orElse(root.text("model_type").orElse(""));
        String family = root.text("model_type").orElse("");
        if (family.startsWith("qwen3_vl") || family.startsWith("qwen3_5")) {
            QwenTower.addThird(model, vision.get());
        } else if (type.startsWith("qwen2_5") || family.equals("qwen2_5_vl")) {
            QwenTower.addSecond(model, vision.get());
        } else if (type.equals("gemma4_vision")) {
            addGemma4(model, vision.get(), outer.object("audio_config"));
        } else if (type.startsWith("siglip")) {
            addSiglip(model, vision.get());
        } else if (family.equals("qwen2_vl")) {
            QwenTower.addFirst(model, vision.get());
        } else if (type.startsWith("clip")) {
            ClipTowers.addClip(model, vision.get());
        } else if (type.startsWith("llama4")) {
            ClipTowers.addLlama4(model, vision.get());
        } else if (type.startsWith("pixtral")) {
            addPixtral(model, vision.get(), root);
        }
    }

    private static void addSiglip(ModelOutline model, ConfigFields vision) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(1152, "hidden_size");
        long patch = vision.sizeOr(14, "patch_size");
        long image = vision.sizeOr(896, "image_size");
        long inner = vision.sizeOr(4304, "intermediate_size");
        weights.enterModule("vision_tower.vision_model.");
        TowerParts.dense(weights, "embeddings.patch_embedding", width, 3 * patch * patch, true, Split.REPLICATED);
        weights.matrix(
                Component.VISION,
                "embeddings.position_embedding",
                (image / patch) * (image / patch),
                width,
                Split.REPLICATED);
        for (int index = 0; index < vision.sizeOr(27, "num_hidden_layers"); index++) {
            TowerParts.norm(weights, "encoder.layers.*.layer_norm1", width, true);
            TowerParts.norm(weights, "encoder.layers.*.layer_norm2", width, true);
            for (String name : new String[] {"q_proj", "k_proj", "v_proj"}) {
                TowerParts.dense(weights, "encoder.layers.*.self_attn." + name, width, width, true, Split.COLUMN);
            }
            TowerParts.dense(weights, "encoder.layers.*.self_attn.out_proj", width, width, true, Split.ROW);
            TowerParts.dense(weights, "encoder.layers.*.mlp.fc1", inner, width, true, Split.COLUMN);
            TowerParts.dense(weights, "encoder.layers.*.mlp.fc2", width, inner, true, Split.ROW);
        }
        TowerParts.norm(weights, "post_layernorm", width, true);
        weights.enterModule("multi_modal_projector.");
        weights.matrix(Component.VISION, "mm_input_projection", model.hiddenSize(), width, Split.REPLICATED);
        TowerParts.norm(weights, "mm_soft_emb_norm", width, false);
    }

    private static void addGemma4(ModelOutline model, ConfigFields vision, Optional<ConfigFields> audio) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(768, "hidden_size");
        long inner = vision.sizeOr(3072, "intermediate_size");
        int heads = vision.sizeOr(12, "num_attention_heads");
        int headDim = vision.sizeOr(64, "head_dim");
        boolean clipped = vision.flag("use_clipped_linears", false);
        long patch = vision.sizeOr(16, "patch_size");
        weights.enterModule("model.vision_tower.");
        TowerParts.dense(weights, "patch_embedder.input_proj", width, 3 * patch * patch, false, Split.REPLICATED);
        weights.matrix(
                Component.VISION,
                "patch_embedder.position_embedding_table",
                2L * vision.sizeOr(10240, "position_embedding_size"),
                width,
                Split.REPLICATED);
        for (int index = 0; index < vision.sizeOr(16, "num_hidden_layers"); index++) {
            String layer = "encoder.layers.*.";
            for (String name : new String[] {"q_proj", "k_proj", "v_proj"}) {
                TowerParts.clippable(
                        weights, layer + "self_attn." + name, (long) heads * headDim, width, clipped, Split.COLUMN);
            }
            TowerParts.clippable(
                    weights, layer + "self_attn.o_proj", width, (long) heads * headDim, clipped, Split.ROW);
            TowerParts.norm(weights, layer + "self_attn.q_norm", headDim, false);
            TowerParts.norm(weights, layer + "self_attn.k_norm", headDim, false);
            TowerParts.clippable(weights, layer + "mlp.gate_proj", inner, width, clipped, Split.COLUMN);
            TowerParts.clippable(weights, layer + "mlp.up_proj", inner, width, clipped, Split.COLUMN);
            TowerParts.clippable(weights, layer + "mlp.down_proj", width, inner, clipped, Split.ROW);
            for (int norm = 0; norm < 4; norm++) {
                TowerParts.norm(weights, layer + "layernorm", width, false);
            }
        }
        if (vision.flag("standardize", false)) {
            TowerParts.norm(weights, "std_bias", width, false);
            TowerParts.norm(weights, "std_scale", width, false);
        }
        weights.enterModule("model.embed_vision.");
        TowerParts.dense(weights, "embedding_projection", model.hiddenSize(), width, false, Split.REPLICATED);
        audio.ifPresent(fields -> AudioTowers.addGemma4(model, fields));
    }

    private static void addPixtral(ModelOutline model, ConfigFields vision, ConfigFields root) {
        WeightCollector weights = model.weights();
        long width = vision.sizeOr(1024, "hidden_size");
        long inner = vision.sizeOr(4096, "intermediate_size");
        long patch = vision.sizeOr(14, "patch_size");
        long merge = root.sizeOr(1, "spatial_merge_size");
        weights.enterModule("vision_tower.");
        TowerParts.dense(weights, "patch_conv", width, 3 * patch * patch, false, Split.REPLICATED);
        TowerParts.norm(weights, "ln_pre", width, false);
        for (int index = 0; index < vision.sizeOr(24, "num_hidden_layers"); index++) {
            String layer = "transformer.layers.*.";
            TowerParts.norm(weights, layer + "attention_norm", width, false);
            TowerParts.norm(weights, layer + "ffn_norm", width, false);
            for (String name : new String[] {"q_proj", "k_proj", "v_proj"}) {
                TowerParts.dense(weights, layer + "attention." + name, width, width, false, Split.COLUMN);
            }
            TowerParts.dense(weights, layer + "attention.o_proj", width, width, false, Split.ROW);
            TowerParts.dense(weights, layer + "feed_forward.gate_proj", inner, width, false, Split.COLUMN);
            TowerParts.dense(weights, layer + "feed_forward.up_proj", inner, width, false, Split.COLUMN);
            TowerParts.dense(weights, layer + "feed_forward.down_proj", width, inner, false, Split.ROW);
        }
        weights.enterModule("multi_modal_projector.");
        TowerParts.norm(weights, "norm", width, false);
        if (merge > 1) {
            TowerParts.dense(
                    weights, "patch_merger.merging_layer", width, width * merge * merge, false, Split.REPLICATED);
        }
        boolean bias = root.flag("multimodal_projector_bias", false);
        TowerParts.dense(weights, "linear_1", model.hiddenSize(), width, bias, Split.REPLICATED);
        TowerParts.dense(weights, "linear_2", model.hiddenSize(), model.hiddenSize(), bias, Split.REPLICATED);
    }
}
