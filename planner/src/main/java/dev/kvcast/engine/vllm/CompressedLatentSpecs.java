package dev.kvcast.engine.vllm;

import dev.kvcast.engine.vllm.KvSpec.Attention;
import dev.kvcast.engine.vllm.KvSpec.HeadLayout;
import dev.kvcast.engine.vllm.KvSpec.Reach;
import dev.kvcast.model.Mixer;
import java.util.ArrayList;
import java.util.List;

/**
 * The several caches of one DeepSeek-V4 layer: a sliding window of raw latents, compressed latents of everything
 * before it, the compressor's own window, and for finely compressed layers an index of keys with a compressor of its
 * own. Sources: vLLM's {@code models/deepseek_v4/{attention,compressor}.py} and
 * {@code v1/attention/backends/mla/sparse_swa.py}.
 */
final class CompressedLatentSpecs {

    /** Block of the raw window in tokens. */
    private static final int WINDOW_BLOCK = 64;

    /** Block of the compressed caches in uncompressed tokens. */
    private static final int COMPRESSED_BLOCK = 256;

    /** One packed latent: 448 bytes, 64 rotary elements of 2 bytes, 8 bytes of scales. */
    private static final int PACKED_BYTES = 584;

    private static final int PACKED_ALIGNMENT = 576;
    private static final int PLAIN_ALIGNMENT = 512;

    /** A ratio this small overlaps its windows and carries an index. */
    private static final int OVERLAPPING_RATIO = 4;

    private CompressedLatentSpecs() {}

    /**
     * The caches of one mixer.
     *
     * @param latent its shape: the window, or the compressed latents
     * @param dtype KV-cache type; anything below 16 bits means the packed layout
     * @param blockSize block size asked for, raised to what the sparse kernels need
     */
    static List<KvSpec> of(Mixer.Latent latent, KvCacheDtype dtype, int blockSize) {
        boolean packed = dtype.bits() < 16;
        int alignment = packed ? PACKED_ALIGNMENT : PLAIN_ALIGNMENT;
        HeadLayout row = packed
                ? new HeadLayout(1, PACKED_BYTES, 0, KvCacheDtype.FP8)
                : new HeadLayout(1, latent.storedElements(), 0, dtype);
        int ratio = latent.tokensPerState();
        int block = Math.max(blockSize, COMPRESSED_BLOCK);
        List<KvSpec> specs = new ArrayList<>();
        if (latent.windowTokens() > 0) {
            specs.add(new Attention(Reach.WINDOW, latent.windowTokens(), 0, true, row, WINDOW_BLOCK, 1, alignment, 0));
        }
        if (ratio > 1) {
            specs.add(new Attention(Reach.ALL, 0, 0, true, row, block, ratio, alignment, 0));
            specs.add(compressorState(ratio, latent.storedElements(), alignment));
        }
        if (latent.indexer().present()) {
            int keyDim = latent.indexer().headDim();
            HeadLayout keys = new HeadLayout(1, keyDim + keyDim / 128 * Float.BYTES, 0, KvCacheDtype.FP8);
            specs.add(new Attention(Reach.ALL, 0, 0, true, keys, block, ratio, alignment, 0));
            specs.add(compressorState(ratio, keyDim, alignment));
        }
        return specs;
    }

    /** Values and scores of the tokens that are still being compressed, in 32 bits. */
    private static Attention compressorState(int ratio, int headDim, int alignment) {
        int overlap = ratio == OVERLAPPING_RATIO ? 2 : 1;
        HeadLayout state = new HeadLayout(1, 2 * overlap * headDim, 0, KvCacheDtype.FLOAT32);
        int block = ratio == OVERLAPPING_RATIO ? 4 : 8;
        return new Attention(Reach.WINDOW, (long) overlap * ratio, 0, true, state, block, 1, alignment, 0);
    }
}
