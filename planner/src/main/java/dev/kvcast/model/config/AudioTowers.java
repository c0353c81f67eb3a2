package dev.kvcast.model.config;

import dev.kvcast.model.Component;
import dev.kvcast.model.Weight.Split;
import java.util.List;

/** Weights of audio towers; they count as part of the front end. */
final class AudioTowers {

    /** Mel bands of the input spectrogram. */
    private static final long MEL_BANDS = 128;

    private AudioTowers() {}

    /** The conformer of Gemma 4's small models (transformers 5.24 {@code modeling_gemma4.py}). */
    static void addGemma4(ModelOutline model, ConfigFields audio) {
        if (!audio.has("num_hidden_layers")) {
            return;
        }
        WeightCollector weights = model.weights();
        long width = audio.sizeOr(1024, "hidden_size");
        long output = audio.sizeOr(1536, "output_proj_dims");
        boolean clipped = audio.flag("use_clipped_linears", true);
        weights.enterModule("model.audio_tower.");
        long input = 1;
        long bands = MEL_BANDS;
        for (int channels : audio.isList("subsampling_conv_channels")
                ? audio.sizes("subsampling_conv_channels")
                : List.of(128, 32)) {
            weights.matrix(Component.VISION, "subsample_conv_projection.conv", channels, input * 9, Split.REPLICATED);
            TowerParts.norm(weights, "subsample_conv_projection.norm", channels, false);
            input = channels;
            bands = (bands + 1) / 2;
        }
        weights.linear(
                Component.VISION,
                "subsample_conv_projection.input_proj_linear",
                width,
                input * bands,
                Split.REPLICATED);
        for (int index = 0; index < audio.size("num_hidden_layers"); index++) {
            addLayer(weights, audio, width, clipped);
        }
        TowerParts.dense(weights, "output_proj", output, width, true, Split.REPLICATED);
        weights.enterModule("model.embed_audio.");
        TowerParts.dense(weights, "embedding_projection", model.hiddenSize(), output, false, Split.REPLICATED);
    }

    /** The Whisper encoder of Qwen2-Audio and Qwen2.5-Omni with its projector. */
    static void addWhisper(ModelOutline model, ConfigFields audio) {
        WeightCollector weights = model.weights();
        long width = audio.sizeOr(1280, "d_model");
        long inner = audio.sizeOr(5120, "encoder_ffn_dim");
        weights.enterModule("audio_tower.");
        weights.matrix(Component.VISION, "conv1", width, 3L * audio.sizeOr(128, "num_mel_bins"), Split.REPLICATED);
        weights.matrix(Component.VISION, "conv2", width, 3 * width, Split.REPLICATED);
        weights.vector(Component.VISION, "conv1.bias", width);
        weights.vector(Component.VISION, "conv2.bias", width);
        for (int index = 0; index < audio.sizeOr(32, "encoder_layers"); index++) {
            String layer = "layers.*.";
            TowerParts.norm(weights, layer + "self_attn_layer_norm", width, true);
            TowerParts.norm(weights, layer + "final_layer_norm", width, true);
            TowerParts.dense(weights, layer + "self_attn.k_proj", width, width, false, Split.COLUMN);
            TowerParts.dense(weights, layer + "self_attn.q_proj", width, width, true, Split.COLUMN);
            TowerParts.dense(weights, layer + "self_attn.v_proj", width, width, true, Split.COLUMN);
            TowerParts.dense(weights, layer + "self_attn.out_proj", width, width, true, Split.ROW);
            TowerParts.dense(weights, layer + "fc1", inner, width, true, Split.COLUMN);
            TowerParts.dense(weights, layer + "fc2", width, inner, true, Split.ROW);
        }
        TowerParts.norm(weights, "ln_post", width, true);
        TowerParts.dense(weights, "proj", model.hiddenSize(), width, true, Split.REPLICATED);
    }

    private static void addLayer(WeightCollector weights, ConfigFields audio, long width, boolean clipped) {
        String layer = "layers.*.";
        for (String name : new String[] {"feed_forward1.", "feed_forward2."}) {
            TowerParts.clippable(weights, layer + name + "ffw_layer_1", 4 * width, width, clipped, Split.REPLICATED);
            TowerParts.clippable(weights, layer + name + "ffw_layer_2", width, 4 * width, clipped, Split.REPLICATED);
            TowerParts.norm(weights, layer + name + "pre_layer_norm", width, false);
            TowerParts.norm(weights, layer + name + "post_layer_norm", width, false);
        }
        for (String name : new String[] {"q_proj", "k_proj", "v_proj", "post"}) {
            TowerParts.clippable(weights, layer + "self_attn." + name, width, width, clipped, Split.REPLICATED);
        }
        TowerParts.dense(weights, layer + "self_attn.relative_k_proj", width, width, false, Split.REPLICATED);
        TowerParts.norm(
                weights, layer + "self_attn.per_dim_scale", width / audio.sizeOr(8, "num_attention_heads"), false);
        TowerParts.clippable(weights, layer + "lconv1d.linear_start", 2 * width, width, clipped, Split.REPLICATED);
        TowerParts.clippable(weights, layer + "lconv1d.linear_end", width, width, clipped, Split.REPLICATED);
        weights.matrix(
                Component.VISION,
                layer + "lconv1d.depthwise_conv1d",
                width,
                audio.sizeOr(5, "conv_kernel_size"),
                Split.REPLICATED);
        for (String name : new String[] {
            "lconv1d.pre_layer_norm", "lconv1d.conv_norm", "norm_pre_attn", "norm_post_attn", "norm_out"
        }) {
            TowerParts.norm(weights, layer + name, width, false);
        }
    }
}
