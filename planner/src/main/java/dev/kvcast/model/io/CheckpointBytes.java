package dev.kvcast.model.io;

import dev.kvcast.model.Component;
import java.util.EnumMap;
import java.util.Map;

/**
 * Exact bytes of a checkpoint's tensors by component, from safetensors headers.
 *
 * @param byComponent bytes of each component that has any
 * @param total sum of all
 */
public record CheckpointBytes(Map<Component, Long> byComponent, long total) {

    /** Copies the map. */
    public CheckpointBytes {
        byComponent = Map.copyOf(byComponent);
    }

    /** Sums headers. */
    static CheckpointBytes of(Iterable<SafetensorsHeader> headers) {
        Map<Component, Long> sums = new EnumMap<>(Component.class);
        long total = 0;
        for (SafetensorsHeader header : headers) {
            for (SafetensorsHeader.Tensor tensor : header.tensors()) {
                sums.merge(component(tensor.name()), tensor.bytes(), Math::addExact);
                total = Math.addExact(total, tensor.bytes());
            }
        }
        return new CheckpointBytes(sums, total);
    }

    /** The component that a tensor's name places it in. */
    static Component component(String name) {
        if (hasPart(
                name,
                "visual",
                "vision_tower",
                "vision_model",
                "multi_modal_projector",
                "mm_projector",
                "embed_vision",
                "audio_tower",
                "embed_audio",
                "vision_encoder",
                "vision_adapter")) {
            return Component.VISION;
        }
        if (hasPart(name, "mtp", "mtp_layers", "nextn", "eh_proj", "enorm", "hnorm")) {
            return Component.MTP;
        }
        if (hasPart(name, "lm_head", "head", "output")) {
            return Component.LM_HEAD;
        }
        if (hasPart(
                name, "embed_tokens", "embed", "wte", "tok_embeddings", "embed_tokens_per_layer", "word_embeddings")) {
            return Component.EMBEDDING;
        }
        if (hasPart(name, "shared_expert", "shared_experts", "shared_mlp")) {
            return Component.SHARED_EXPERTS;
        }
        if (hasPart(name, "experts")) {
            return Component.EXPERTS;
        }
        if (hasPart(name, "gate", "router", "e_score_correction_bias")) {
            return Component.ROUTER;
        }
        if (hasPart(name, "linear_attn", "mamba", "conv", "mixer", "ssm")) {
            return Component.STATE_MIXER;
        }
        if (name.contains("norm")) {
            return Component.NORM;
        }
        if (hasPart(name, "self_attn", "attn", "attention")) {
            return Component.ATTENTION;
        }
        return hasPart(name, "mlp", "feed_forward", "ffn") ? Component.MLP : Component.OTHER;
    }

    private static boolean hasPart(String name, String... parts) {
        String dotted = "." + name + ".";
        for (String part : parts) {
            if (dotted.contains("." + part + ".")) {
                return true;
            }
        }
        return false;
    }
}
