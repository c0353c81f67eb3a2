package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.KvSpec.HeadLayout;
import dev.kvcast.engine.vllm.KvSpec.Reach;
import dev.kvcast.engine.vllm.KvSpec.State;
import dev.kvcast.model.AttentionShape;
import dev.kvcast.model.DataType;
import dev.kvcast.model.DecoderLayer;
import dev.kvcast.model.Mixer;
import dev.kvcast.model.ModelConfig;
import dev.kvcast.model.StateShape;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Turns a model's layers into what each asks of the KV cache on one rank ({@code get_kv_cache_spec} of vLLM's attention
 * and mamba layers), with hybrid block sizes aligned.
 *
 * @param specs one entry per caching layer, in order
 * @param decoderLayer decoder layer of each entry (several entries where a layer keeps several caches), draft layers
 *     counted on
 * @param stateBytes unpadded bytes of the largest state, 0 without recurrent layers
 */
record LayerSpecs(List<KvSpec> specs, List<Integer> decoderLayer, long stateBytes) {

    /** Index keys are stored as bytes with a 4-byte scale per 128 ({@code deepseek_v2.py}, {@code mla/indexer.py}). */
    private static final int INDEX_SCALE_GROUP = 128;

    /** Derives the specs of a model. */
    static LayerSpecs of(ModelConfig model, CacheSettings settings) {
        List<DecoderLayer> layers = new ArrayList<>(model.layers());
        layers.addAll(settings.draftLayers());
        return new Builder(model, settings).build(layers);
    }

    private static final class Builder {
        private final ModelConfig model;
        private final CacheSettings settings;
        private final List<KvSpec> specs = new ArrayList<>();
        private final List<Integer> owners = new ArrayList<>();
        private final IdentityHashMap<Mixer, KvSpec> known = new IdentityHashMap<>();
        private int blockSize;
        private int attentionSeen;
        private int attentionTotal;

        Builder(ModelConfig model, CacheSettings settings) {
            this.model = model;
            this.settings = settings;
            this.blockSize = settings.blockSize();
        }

        LayerSpecs build(List<DecoderLayer> layers) {
            long stateBytes = largestState(layers);
            long paddedPage = alignWithStates(layers, stateBytes);
            attentionTotal = (int) layers.stream()
                    .flatMap(layer -> layer.mixers().stream())
                    .filter(Builder::attends)
                    .count();
            for (int i = 0; i < layers.size(); i++) {
                for (Mixer mixer : layers.get(i).mixers()) {
                    add(i, mixer, paddedPage);
                }
            }
            return new LayerSpecs(List.copyOf(specs), List.copyOf(owners), stateBytes);
        }

        private static boolean attends(Mixer mixer) {
            return mixer instanceof Mixer.Full || mixer instanceof Mixer.Sliding || mixer instanceof Mixer.Chunked;
        }

        private long largestState(List<DecoderLayer> layers) {
            long largest = 0;
            for (DecoderLayer layer : layers) {
                for (Mixer mixer : layer.mixers()) {
                    if (mixer instanceof Mixer.Recurrent recurrent) {
                        largest = Math.max(largest, stateBytes(recurrent.state()));
                    }
                }
            }
            return largest;
        }

        /** Raises the block size so that an attention page holds a state; returns the page, 0 without a hybrid. */
        private long alignWithStates(List<DecoderLayer> layers, long stateBytes) {
            if (stateBytes == 0) {
                return 0;
            }
            for (DecoderLayer layer : layers) {
                for (Mixer mixer : layer.mixers()) {
                    long tokenBytes = tokenBytes(mixer);
                    if (tokenBytes > 0) {
                        boolean latent = mixer instanceof Mixer.Latent;
                        int kernelBlock = latent ? Math.max(128, blockSize) : blockSize;
                        HybridBlockSize aligned = HybridBlockSize.align(tokenBytes, stateBytes, kernelBlock, blockSize);
                        blockSize = aligned.blockSize();
                        return aligned.pageBytes();
                    }
                }
            }
            return 0;
        }

        private long tokenBytes(Mixer mixer) {
            if (mixer instanceof Mixer.Full full) {
                return heads(full.shape(), settings.dtype()).tokenBytes();
            }
            if (mixer instanceof Mixer.Sliding sliding) {
                return heads(sliding.shape(), settings.dtype()).tokenBytes();
            }
            if (mixer instanceof Mixer.Latent latent) {
                return latentHeads(latent).tokenBytes();
            }
            return 0;
        }

        private void add(int layer, Mixer mixer, long paddedPage) {
            boolean unquantized = attends(mixer) && keptUnquantized(attentionSeen++);
            if (mixer instanceof Mixer.Latent latent && compressed(latent)) {
                CompressedLatentSpecs.of(latent, settings.dtype(), blockSize).forEach(spec -> append(layer, spec));
                return;
            }
            if (unquantized) {
                append(layer, attention(mixer, KvCacheDtype.ofModel(settings.modelDtype())));
                return;
            }
            KvSpec spec = known.get(mixer);
            if (spec == null) {
                KvSpec fresh = fresh(mixer, paddedPage);
                if (fresh == NOTHING) {
                    return;
                }
                known.put(mixer, fresh);
                spec = fresh;
            }
            append(layer, spec);
            if (mixer instanceof Mixer.Latent latent && latent.indexer().present()) {
                append(layer, indexKeys(latent.indexer().headDim(), 1));
            }
        }

        private static boolean compressed(Mixer.Latent latent) {
            return latent.windowTokens() > 0 || latent.tokensPerState() > 1;
        }

        private void append(int layer, KvSpec spec) {
            specs.add(spec);
            owners.add(layer);
        }

        /**
         * TurboQuant keeps the first and last two attention layers of a dense model in the model's type
         * ({@code config/vllm.py}); hybrids have no such list.
         */
        private boolean keptUnquantized(int position) {
            boolean hybrid = blockSize != settings.blockSize();
            return settings.dtype().turboQuant() && !hybrid && (position < 2 || position >= attentionTotal - 2);
        }

        private static final KvSpec NOTHING = new State("none", 0, 1, 0, 0);

        private KvSpec fresh(Mixer mixer, long paddedPage) {
            if (attends(mixer)) {
                return attention(mixer, settings.dtype());
            }
            if (mixer instanceof Mixer.Latent latent) {
                return new Attention(
                        Reach.ALL, 0, 0, true, latentHeads(latent), blockSize, latent.tokensPerState(), 1, 0);
            }
            if (mixer instanceof Mixer.Recurrent recurrent) {
                StateShape state = recurrent.state();
                int speculative = settings.speculativeTokens();
                long maxLength = Math.min(Integer.MAX_VALUE, model.maxModelLength());
                int stateBlock = settings.stateMode() == KvLayout.StateMode.NONE ? (int) maxLength : blockSize;
                return new State(state.toString(), stateBytes(state), stateBlock, speculative, paddedPage);
            }
            if (mixer instanceof Mixer.Cross cross) {
                return new KvSpec.Cross(heads(cross.shape(), settings.dtype()), blockSize, settings.encoderTokens(), 0);
            }
            return NOTHING;
        }

        private Attention attention(Mixer mixer, KvCacheDtype dtype) {
            if (mixer instanceof Mixer.Full full) {
                return Attention.full(heads(full.shape(), dtype), blockSize);
            }
            if (mixer instanceof Mixer.Sliding sliding) {
                return Attention.sliding(heads(sliding.shape(), dtype), blockSize, sliding.windowTokens());
            }
            Mixer.Chunked chunked = (Mixer.Chunked) mixer;
            return new Attention(
                    Reach.CHUNK, chunked.chunkTokens(), 0, false, heads(chunked.shape(), dtype), blockSize, 1, 1, 0);
        }

        private Attention indexKeys(int headDim, int tokensPerState) {
            int bytes = headDim + headDim / INDEX_SCALE_GROUP * Float.BYTES;
            HeadLayout keys = new HeadLayout(1, bytes, 0, KvCacheDtype.FP8);
            return new Attention(Reach.ALL, 0, 0, true, keys, blockSize, tokensPerState, 1, 0);
        }

        private HeadLayout heads(AttentionShape shape, KvCacheDtype dtype) {
            int held = Math.max(1, shape.kvHeads() / settings.tensorParallel());
            return new HeadLayout(held, shape.headDim(), shape.valueDim(), dtype);
        }

        /** Sparse attention stores FP8 latents in DeepSeek's packed layout whatever the flag calls it. */
        private HeadLayout latentHeads(Mixer.Latent latent) {
            boolean sparse = latent.indexer().present() && settings.dtype() == KvCacheDtype.FP8;
            return new HeadLayout(1, latent.storedElements(), 0, sparse ? KvCacheDtype.FP8_DS_MLA : settings.dtype());
        }

        private long stateBytes(StateShape state) {
            DataType conv = settings.convOverride().orElse(model.stateDtypes().conv());
            DataType recurrent = state.alwaysFloat32()
                    ? DataType.FLOAT32
                    : settings.recurrentOverride().orElse(model.stateDtypes().recurrent());
            return conv.bytes(state.convElements(settings.tensorParallel(), settings.speculativeTokens()))
                    + recurrent.bytes(state.recurrentElements(settings.tensorParallel()));
        }
    }
}
