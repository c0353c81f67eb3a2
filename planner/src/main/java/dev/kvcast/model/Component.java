package dev.kvcast.model;

import java.util.Locale;

/** The part of a model that a weight belongs to; flags load or drop whole components. */
public enum Component {
    EMBEDDING,
    LM_HEAD,
    ATTENTION,
    /** Recurrent and convolution mixers. */
    STATE_MIXER,
    MLP,
    EXPERTS,
    SHARED_EXPERTS,
    ROUTER,
    NORM,
    /** Vision or audio tower and its projector. */
    VISION,
    /** Multi-token-prediction (draft) module. */
    MTP,
    /** A draft checkpoint's own copy of the embedding or head; engines share the target's instead. */
    MTP_COPY,
    /** A second copy that engines make of a weight they hold already; not in the checkpoint. */
    COPY,
    /** A 16-bit copy that engines keep of a weight when it is quantized (MLA's absorbed projections). */
    DEQUANTIZED,
    /** In the checkpoint, never loaded. */
    UNUSED,
    OTHER;

    /** Whether a checkpoint stores it; copies that engines make are not stored. */
    public boolean inCheckpoint() {
        return this != COPY && this != DEQUANTIZED;
    }

    /** The name used in {@code weights.json} and in output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
