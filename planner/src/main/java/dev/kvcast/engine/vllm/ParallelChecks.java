package dev.kvcast.engine.vllm;

import dev.kvcast.engine.Parallelism;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.InputException;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;

/** Whether a model can be divided as asked ({@code ModelConfig.verify_with_parallel_config}). */
final class ParallelChecks {

    private ParallelChecks() {}

    /**
     * Checks every layer.
     *
     * @throws InputException when heads or layers do not divide
     */
    static void check(ModelConfig model, ParallelOptions options) {
        Parallelism ranks = options.ranks();
        if (ranks.pipeline() > model.layers().size()) {
            throw InputException.badInput("--pipeline-parallel-size " + ranks.pipeline() + " is above the "
                    + model.layers().size() + " layers of " + model.id());
        }
        for (DecoderLayer layer : model.layers()) {
            for (Mixer mixer : layer.mixers()) {
                tensor(mixer, ranks.tensor());
                context(mixer, ranks);
            }
        }
        if (ranks.decodeContext() > 1 && ranks.tensor() % ranks.decodeContext() != 0) {
            throw InputException.badInput("--tensor-parallel-size " + ranks.tensor()
                    + " must be a multiple of --decode-context-parallel-size " + ranks.decodeContext());
        }
    }

    private static void tensor(Mixer mixer, int tensor) {
        int heads = Attentions.queryHeads(mixer);
        if (heads % tensor != 0) {
            throw InputException.badInput("the model's " + heads + " attention heads are not divisible by"
                    + " --tensor-parallel-size " + tensor);
        }
        int kvHeads = Attentions.kvHeads(mixer);
        boolean divides = kvHeads == 0 || (kvHeads >= tensor ? kvHeads % tensor == 0 : tensor % kvHeads == 0);
        if (!divides) {
            throw InputException.badInput("the model's " + kvHeads + " key/value heads and --tensor-parallel-size "
                    + tensor + " do not divide evenly");
        }
    }

    private static void context(Mixer mixer, Parallelism ranks) {
        int kvHeads = Attentions.kvHeads(mixer);
        if (ranks.decodeContext() == 1 || kvHeads == 0) {
            return;
        }
        if (ranks.tensor() <= kvHeads) {
            throw InputException.badInput("--decode-context-parallel-size " + ranks.decodeContext()
                    + " needs --tensor-parallel-size above the model's " + kvHeads + " key/value heads");
        }
        if (ranks.decodeContext() > ranks.tensor() / kvHeads) {
            throw InputException.badInput("--decode-context-parallel-size " + ranks.decodeContext() + " is above "
                    + ranks.tensor() / kvHeads + ", the most that --tensor-parallel-size " + ranks.tensor() + " and "
                    + kvHeads + " key/value heads allow");
        }
    }
}
