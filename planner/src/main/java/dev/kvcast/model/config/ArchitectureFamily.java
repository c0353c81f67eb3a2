package dev.kvcast.model.config;

/**
 * The layers and tensors of one kind of model. A family reads the fields of {@link ModelOutline#text()} and adds what
 * they describe to the outline; it refuses what it does not understand with an
 * {@link dev.kvcast.model.InputException}.
 */
interface ArchitectureFamily {

    /** Adds every decoder layer, draft layer and text weight. */
    void describe(ModelOutline model);
}
