package dev.kvcast.report;

import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.engine.BootPlan;
import dev.kvcast.engine.KvGroup;
import dev.kvcast.engine.KvPool;
import dev.kvcast.engine.MemoryPlan;
import dev.kvcast.engine.MemoryTerm;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.Limits;
import dev.kvcast.plan.Matrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The JSON that scripts rely on, schema version 1: fields may be added, never renamed. */
public final class PlanJson {

    /** Version of the schema. */
    public static final int SCHEMA = 1;

    private PlanJson() {}

    /** The answer to "will this fit". */
    public static JsonObject fit(Fit fit) {
        JsonObject json = head(fit);
        json.put("verdict", fit.verdict().label()).put("reason", fit.reason());
        json.put("advice", fit.advice().stream().map(PlanText::advice).toList());
        json.put("warnings", fit.warnings());
        fit.plan().failure().ifPresent(failure -> json.put("longest_max_model_len", failure.largestModelLen()));
        return json;
    }

    /** The context x concurrency table. */
    public static JsonObject matrix(Matrix matrix) {
        JsonObject json = fit(matrix.fit());
        json.put("shared_prefix", matrix.request().sharedPrefix());
        json.put("skip_rule", matrix.request().skipRule().label());
        json.put("cells", matrix.cells().stream().map(PlanJson::cell).toList());
        json.put(
                "longest_contexts",
                matrix.limits().contexts().stream().map(PlanJson::longest).toList());
        json.put(
                "most_requests",
                matrix.limits().concurrencies().stream().map(PlanJson::most).toList());
        return json.put(
                "prefill", matrix.prefill().stream().map(SpeedJson::prefill).toList());
    }

    private static JsonObject longest(Limits.LongestContext limit) {
        return new JsonObject().put("concurrency", limit.concurrency()).put("context", limit.contextTokens());
    }

    private static JsonObject most(Limits.MostRequests limit) {
        return new JsonObject().put("context", limit.contextTokens()).put("concurrency", limit.concurrency());
    }

    /** A question of a batch that could not be answered. */
    public static JsonObject error(Optional<String> id, InputException problem) {
        return new JsonObject()
                .put("schema", SCHEMA)
                .putOptional("id", id)
                .put("status", "error")
                .put(
                        "error",
                        new JsonObject()
                                .put("code", problem.code().label())
                                .put("message", String.valueOf(problem.getMessage())));
    }

    private static JsonObject head(Fit fit) {
        BootPlan plan = fit.plan();
        return new JsonObject()
                .put("schema", SCHEMA)
                .putOptional("id", fit.id())
                .put("status", "ok")
                .put("model", fit.scenario().model().id())
                .put("gpu", fit.scenario().accelerator().name())
                .put("gpu_count", fit.scenario().accelerators())
                .put("engine", plan.engine())
                .put("engine_version", plan.version())
                .put("memory", memory(plan.memory()))
                .put("kv", kv(plan.pool()));
    }

    private static JsonObject memory(MemoryPlan memory) {
        JsonObject json = new JsonObject()
                .put("total_bytes", memory.totalBytes())
                .put("requested_bytes", memory.requestedBytes())
                .put("weights_bytes", memory.bytes(MemoryTerm.Kind.WEIGHTS))
                .put("activation_bytes", memory.bytes(MemoryTerm.Kind.ACTIVATION))
                .put("cuda_graph_bytes", memory.bytes(MemoryTerm.Kind.CUDA_GRAPH))
                .put("other_bytes", memory.bytes(MemoryTerm.Kind.OTHER))
                .put("kv_pool_bytes", memory.kvPool().value())
                .put("kv_pool_bytes_low", memory.kvPool().low())
                .put("kv_pool_bytes_high", memory.kvPool().high());
        List<JsonObject> terms = new ArrayList<>();
        for (MemoryTerm term : memory.terms()) {
            terms.add(new JsonObject()
                    .put("kind", Units.lowerCase(term.kind().name()))
                    .put("label", term.label())
                    .put("bytes", term.bytes().value())
                    .put("bytes_low", term.bytes().low())
                    .put("bytes_high", term.bytes().high()));
        }
        return json.put("terms", terms);
    }

    private static JsonObject kv(KvPool pool) {
        List<JsonObject> groups = new ArrayList<>();
        for (KvGroup group : pool.groups()) {
            groups.add(new JsonObject()
                    .put("kind", group.kind().label())
                    .put("layers", group.layers())
                    .put("block_size", group.blockSize())
                    .put("page_bytes", group.pageBytes()));
        }
        return new JsonObject()
                .put("num_blocks", pool.blocks())
                .put("num_blocks_low", pool.blocksLow())
                .put("num_blocks_high", pool.blocksHigh())
                .put("block_size", pool.blockSize())
                .put("bytes_per_block", pool.bytesPerBlock())
                .put("bytes_per_token", Math.round(pool.bytesPerToken()))
                .put("tokens", pool.tokens())
                .put("tokens_low", pool.tokensLow())
                .put("tokens_high", pool.tokensHigh())
                .put("max_model_len", pool.maxModelLen())
                .put("blocks_per_request", pool.blocksPerRequest())
                .put("max_concurrency", pool.maxConcurrency())
                .put("groups", groups);
    }

    private static JsonObject cell(Matrix.Cell judged) {
        CellCapacity cell = judged.capacity();
        JsonObject json = new JsonObject()
                .put("context", cell.cell().contextTokens())
                .put("concurrency", cell.cell().concurrency())
                .put("output", cell.cell().outputTokens())
                .put("verdict", cell.verdict().label())
                .put("needed_blocks", cell.neededBlocks())
                .put("needed_tokens", cell.neededTokens())
                .putAll(SpeedJson.decode(judged.speed()));
        return cell.verdict() == Verdict.FITS ? json : json.put("reason", cell.reason());
    }
}
