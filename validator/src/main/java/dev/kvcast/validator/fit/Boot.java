package dev.kvcast.validator.fit;

import dev.kvcast.plan.PlanRequest;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One start of vLLM from a public log: what was launched and what it printed.
 *
 * @param id name of the row
 * @param source where it was published
 * @param firstGeneration whether the log is of the V1 engine, the one that is modelled
 * @param utilizationStated whether the share of memory was stated
 * @param request what was launched
 * @param availableGib "Available KV cache memory" of a rank, two decimals
 * @param tokens "GPU KV cache size"
 * @param blocks number of blocks
 * @param blockSize tokens of one, where printed
 * @param weightsGib "Model loading took"
 */
public record Boot(
        String id,
        String source,
        boolean firstGeneration,
        boolean utilizationStated,
        PlanRequest request,
        OptionalDouble availableGib,
        OptionalLong tokens,
        OptionalLong blocks,
        OptionalLong blockSize,
        OptionalDouble weightsGib) {

    private static final long USUAL_BLOCK = 16;

    /** Whether the row says how large the pool was. */
    public boolean measured() {
        return availableGib.isPresent() || tokens.isPresent() || blocks.isPresent();
    }

    /** Tokens that were printed, or blocks times their size. */
    public OptionalLong printedTokens() {
        if (tokens.isPresent() || blocks.isEmpty()) {
            return tokens;
        }
        return OptionalLong.of(blocks.getAsLong() * blockSize.orElse(USUAL_BLOCK));
    }

    /** The same boot with its pool given. */
    PlanRequest pinned(long poolBytes) {
        return new PlanRequest(
                Optional.of(id),
                request.engine(),
                request.engineVersion(),
                request.model(),
                request.quantization(),
                request.gpu(),
                request.arguments(),
                request.environment(),
                OptionalLong.of(poolBytes));
    }
}
