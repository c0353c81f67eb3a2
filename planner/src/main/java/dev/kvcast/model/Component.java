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
    OTHER;

    /** The name used in {@code weights.json} and in output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
