package dev.kvcast.throughput;

import dev.kvcast.engine.Kernels;
import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.Component;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.FeedForward;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.Weight;
import dev.kvcast.model.WeightScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sorts a model's matrices into groups that are multiplied alike. Norms, biases and routers are left out: they are read
 * by kernels that the launch cost stands for.
 */
final class MatrixCounter {

    private final ModelConfig model;
    private final int ranks;
    private final List<MatrixGroup> groups = new ArrayList<>();

    private MatrixCounter(ModelConfig model, int ranks) {
        this.model = model;
        this.ranks = ranks;
    }

    static List<MatrixGroup> count(ModelConfig model, Accelerator accelerator, Kernels kernels, int ranks) {
        MatrixCounter counter = new MatrixCounter(model, ranks);
        boolean head = false;
        for (Weight weight : model.weights()) {
            boolean expert = weight.component() == Component.EXPERTS;
            ComputePath path =
                    ComputePath.of(weight.scheme(), accelerator, expert ? kernels.experts() : kernels.linear());
            Optional<MatrixGroup.Kind> kind = counter.kind(weight);
            if (kind.isPresent()) {
                counter.add(weight, kind.get(), path);
                head |= kind.get() == MatrixGroup.Kind.HEAD;
            }
        }
        if (!head) {
            counter.addPlainHead();
        }
        return counter.groups;
    }

    private Optional<MatrixGroup.Kind> kind(Weight weight) {
        if (weight.columns() == 1 || (weight.count() > 1 && !weight.linear())) {
            return Optional.empty();
        }
        boolean tied = model.tiedEmbeddings()
                && weight.component() == Component.EMBEDDING
                && weight.columns() == model.hiddenSize();
        if (weight.component() == Component.LM_HEAD || tied) {
            return Optional.of(MatrixGroup.Kind.HEAD);
        }
        Optional<MatrixGroup.Kind> kind = MatrixGroup.Kind.of(weight.component());
        boolean routed = weight.split() == Weight.Split.EXPERT_COLUMN || weight.split() == Weight.Split.EXPERT_ROW;
        // Latent projections around experts serve every token.
        return kind.map(part -> part == MatrixGroup.Kind.EXPERTS && !routed ? MatrixGroup.Kind.DENSE : part);
    }

    private void add(Weight weight, MatrixGroup.Kind kind, ComputePath path) {
        double copies = (double) weight.count() * weight.layers().count();
        double share = weight.split() == Weight.Split.REPLICATED ? 1 : 1.0 / ranks;
        double bytes = copies * weight.scheme().bytes(weight.rows(), weight.columns(), model.dtype()) * share;
        double parameters = (double) weight.parameters() * share;
        merge(new MatrixGroup(kind, path, bytes, parameters, activeShare(kind)));
    }

    private void merge(MatrixGroup more) {
        for (int i = 0; i < groups.size(); i++) {
            MatrixGroup group = groups.get(i);
            if (group.kind() == more.kind() && group.path() == more.path()) {
                groups.set(
                        i,
                        new MatrixGroup(
                                group.kind(),
                                group.path(),
                                group.bytes() + more.bytes(),
                                group.parameters() + more.parameters(),
                                group.activeShare()));
                return;
            }
        }
        groups.add(more);
    }

    private double activeShare(MatrixGroup.Kind kind) {
        if (kind == MatrixGroup.Kind.EXPERTS) {
            for (DecoderLayer layer : model.layers()) {
                if (layer.feedForward() instanceof FeedForward.Experts experts) {
                    return (double) experts.expertsPerToken() / experts.experts();
                }
            }
        }
        return 1;
    }

    private void addPlainHead() {
        double parameters = (double) model.vocabularySize() * model.hiddenSize() / ranks;
        double bits = new WeightScheme.Original().bits(model.dtype());
        groups.add(new MatrixGroup(
                MatrixGroup.Kind.HEAD, ComputePath.NATIVE, parameters * bits / Byte.SIZE, parameters, 1));
    }
}
