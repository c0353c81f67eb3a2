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
 * @param experts how the kernels of the card want MXFP4 experts laid out
 */
public record Placement(
        int tensorParallel,
        int expertRanks,
        int firstLayer,
        int endLayer,
        boolean firstStage,
        boolean lastStage,
        boolean frontEnd,
        boolean draft,
        ExpertPadding experts) {

    /** Steps to which MXFP4 kernels pad the two sides of an expert (vLLM's {@code quantization/mxfp4.py}). */
    public enum ExpertPadding {
        /** As stored. */
        NONE(1, 1),
        /** Marlin, before Hopper and wherever it is chosen. */
        MARLIN(256, 128),
        /** Triton on Hopper: gpt-oss-120b loads 64.4 GiB there. */
        HOPPER(256, 1);

        private final long hiddenStep;
        private final long innerStep;

        ExpertPadding(long hiddenStep, long innerStep) {
            this.hiddenStep = hiddenStep;
            this.innerStep = innerStep;
        }

        /** Step of the side towards the hidden size. */
        public long hiddenStep() {
            return hiddenStep;
        }

        /** Step of the side inside the expert. */
        public long innerStep() {
            return innerStep;
        }
    }

    /** Checks the degrees. */
    public Placement {
        Sizes.positive("tensor parallel size", tensorParallel);
        Sizes.positive("expert parallel ranks", expertRanks);
        Sizes.nonNegative("first layer", firstLayer);
        Sizes.nonNegative("end layer", endLayer);
    }

    /** All layers, divided over {@code tensorParallel} ranks, towers loaded, draft module not. */
    public static Placement tensor(int tensorParallel) {
        return new Placement(
                tensorParallel, 1, 0, Integer.MAX_VALUE - 1, true, true, true, false, ExpertPadding.MARLIN);
    }

    /** The same with or without the vision and audio towers. */
    public Placement withFrontEnd(boolean loaded) {
        return new Placement(
                tensorParallel, expertRanks, firstLayer, endLayer, firstStage, lastStage, loaded, draft, experts);
    }

    /** The same with or without the draft module. */
    public Placement withDraft(boolean loaded) {
        return new Placement(
                tensorParallel, expertRanks, firstLayer, endLayer, firstStage, lastStage, frontEnd, loaded, experts);
    }

    /** The same with whole experts dealt to {@code ranks} ranks. */
    public Placement withExpertRanks(int ranks) {
        return new Placement(
                tensorParallel, ranks, firstLayer, endLayer, firstStage, lastStage, frontEnd, draft, experts);
    }

    /** One pipeline stage of the same model. */
    public Placement stage(int first, int end, boolean isFirst, boolean isLast) {
        return new Placement(tensorParallel, expertRanks, first, end, isFirst, isLast, frontEnd, draft, experts);
    }

    /** The same for another card's expert kernels. */
    public Placement withExpertPadding(ExpertPadding padding) {
        return new Placement(
                tensorParallel, expertRanks, firstLayer, endLayer, firstStage, lastStage, frontEnd, draft, padding);
    }
}
