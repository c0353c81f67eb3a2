package dev.kvcast.throughput;

import java.util.List;

/** What of the step-time formula does not depend on the step: seconds per byte and operation of one deployment. */
final class StepRates {

    /** Width at which matrices of one row are long enough to reach the card's usual bandwidth. */
    private static final double WIDE_HIDDEN = 5120;

    /** Sequences at which half of the re-reads of a shared prefix come from the last-level cache. */
    private static final double SHARING_KNEE = 2.8;

    /** Sharpness of the limit on the share of a throttled tensor rate. */
    private static final double LIMIT_NORM = 8;

    final double secondsPerByte;
    final double secondsPerStateOperation;
    final double secondsPerLinkByte;
    final double secondsPerCacheByte;
    final double secondsPerAttentionOperation;
    final double secondsPerWideOperation;
    final double[] secondsPerMatrixByte;
    final double[] secondsPerMatrixOperation;
    final double kernels;
    final double launches;
    final double collectives;
    final double step;
    final double sequence;

    private final DeploymentWork work;
    private final CoefficientValues values;
    private final double sharedRead;

    StepRates(DeploymentWork work, CoefficientValues values, StepForm form) {
        this.work = work;
        this.values = values;
        double bandwidth = work.accelerator().bandwidthBytesPerSecond();
        double ranks = work.exchange().ranks();
        double reading = bandwidth * values.get(Coefficient.WEIGHT_READ);
        secondsPerByte = 1 / reading;
        secondsPerStateOperation = 1
                / (work.native16() * limited(values.get(Coefficient.MATRIX_RATE)) * values.get(Coefficient.RATE_STATE));
        secondsPerCacheByte = Math.pow(ranks, values.get(Coefficient.CACHE_SPLIT_POWER))
                / (bandwidth * values.get(Coefficient.CACHE_READ) * form.cacheShare());
        secondsPerAttentionOperation = 1 / (work.native16() * limited(values.get(Coefficient.ATTENTION_RATE)));
        secondsPerWideOperation = secondsPerAttentionOperation / Math.min(1, values.get(Coefficient.RATE_WIDE_HEADS));
        kernels = work.kernels() * values.get(Coefficient.KERNEL_SECONDS);
        launches = work.kernels() * values.get(Coefficient.LAUNCH_SECONDS);
        Link link = work.exchange().link();
        collectives = work.exchange().collectives() * values.get(link.kind().latency());
        secondsPerLinkByte = 1 / (link.bytesPerSecond() * values.get(link.kind().efficiency()));
        step = values.get(Coefficient.STEP_SECONDS);
        sequence = values.get(Coefficient.SEQUENCE_SECONDS);
        sharedRead = values.get(Coefficient.SHARED_READ);
        List<MatrixGroup> groups = work.matrices();
        secondsPerMatrixByte = new double[groups.size()];
        secondsPerMatrixOperation = new double[groups.size()];
        for (int i = 0; i < groups.size(); i++) {
            setMatrix(i, groups.get(i), Math.min(bandwidth * Coefficient.BEST_EFFICIENCY, reading) * narrow());
        }
    }

    private void setMatrix(int index, MatrixGroup group, double reading) {
        boolean experts = group.kind() == MatrixGroup.Kind.EXPERTS;
        double read = Math.min(1, StepTime.factor(values, group.path().read()));
        double rate = values.get(Coefficient.MATRIX_RATE)
                * Math.min(
                        StepForm.BEST_PATH_GAIN,
                        StepTime.factor(values, group.path().rate()));
        if (experts) {
            read *= Math.min(1, values.get(Coefficient.READ_EXPERTS));
            rate *= Math.min(1, values.get(Coefficient.RATE_EXPERTS));
        }
        double peak = group.path().operationsPerSecond(work.accelerator().compute(), work.native16());
        secondsPerMatrixByte[index] = 1 / (reading * read);
        secondsPerMatrixOperation[index] = 1 / (peak * limited(rate));
    }

    /** Short rows leave memory channels idle: narrow models, and models cut over many ranks. */
    private double narrow() {
        double share = Math.min(work.hiddenSize() / WIDE_HIDDEN, 1);
        return Math.pow(share, values.get(Coefficient.NARROW_POWER))
                * Math.pow(work.exchange().ranks(), -values.get(Coefficient.SPLIT_POWER));
    }

    /**
     * Share of the listed rate for a share of the units' full rate. A throttled card lists half of what its units could
     * do, so its kernels come nearer to what it lists, but never past it.
     */
    private double limited(double share) {
        double inverse = work.accelerator().fullRateShare() / share;
        return Math.pow(
                Math.pow(inverse, LIMIT_NORM) + Math.pow(Coefficient.BEST_EFFICIENCY, -LIMIT_NORM), -1 / LIMIT_NORM);
    }

    /** {@code C r(C)} with {@code r(1) = 1}; rises with C, so that one more sequence is never cheaper. */
    double rereads(int sequences) {
        double whole = 1 + 1 / cube(SHARING_KNEE);
        double count = Math.max(1, sequences);
        return count * (sharedRead + (1 - sharedRead) * whole / (1 + cube(count / SHARING_KNEE)));
    }

    private static double cube(double value) {
        return value * value * value;
    }
}
