package dev.kvcast.model;

/**
 * What one rank holds of a model.
 *
 * @param tensorParallel ranks that divide each layer
 * @param expertRanks ranks that whole experts are dealt to, 1 where experts are divided like dense blocks
 * @param firstLayer first decoder layer of the rank's pipeline stage
 * @param endLayer one past its last decoder layer
 * @param firstStage whether the stage holds the embedding
 * @param lastStage whether the stage holds the final norm, the head and the draft module
 * @param frontEnd whether vision and audio towers are loaded
 * @param draft whether the built-in draft module is loaded
 */
public record Placement(
        int tensorParallel,
        int expertRanks,
        int firstLayer,
        int endLayer,
        boolean firstStage,
        boolean lastStage,
        boolean frontEnd,
        boolean draft) {

    /** Checks the degrees. */
    public Placement {
        Sizes.positive("tensor parallel size", tensorParallel);
        Sizes.positive("expert parallel ranks", expertRanks);
        Sizes.nonNegative("first layer", firstLayer);
        Sizes.nonNegative("end layer", endLayer);
    }

    /** All layers, divided over {@code tensorParallel} ranks, towers loaded, draft module not. */
    public static Placement tensor(int tensorParallel) {
        return new Placement(tensorParallel, 1, 0, Integer.MAX_VALUE - 1, true, true, true, false);
    }

    /** The same with or without the vision and audio towers. */
    public Placement withFrontEnd(boolean loaded) {
        return new Placement(tensorParallel, expertRanks, firstLayer, endLayer, firstStage, lastStage, loaded, draft);
    }

    /** The same with or without the draft module. */
    public Placement withDraft(boolean loaded) {
        return new Placement(
                tensorParallel, expertRanks, firstLayer, endLayer, firstStage, lastStage, frontEnd, loaded);
    }

    /** The same with whole experts dealt to {@code ranks} ranks. */
    public Placement withExpertRanks(int ranks) {
        return new Placement(tensorParallel, ranks, firstLayer, endLayer, firstStage, lastStage, frontEnd, draft);
    }

    /** One pipeline stage of the same model. */
    public Placement stage(int first, int end, boolean isFirst, boolean isLast) {
        return new Placement(tensorParallel, expertRanks, first, end, isFirst, isLast, frontEnd, draft);
    }
}
