package dev.kvcast.validator.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.engine.KvPool;
import dev.kvcast.engine.vllm.MemoryCoefficients;
import dev.kvcast.engine.vllm.io.MemoryCoefficientsFile;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.Planner;
import dev.kvcast.validator.fit.BootNotes.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Replays public boots: exactly where the log gives the pool, within bounds where it is predicted. */
class BootReplayTest {

    private static final Path FOLDER = Path.of("..", "data", "startups");
    private static final double GIB = 1L << 30;

    /** Half of the last decimal of a printed GiB. */
    private static final double ROUNDING = 0.005;

    private final BootNotes notes = BootNotes.read(FOLDER.resolve("notes.csv"));
    private final MemoryCoefficients packaged = MemoryCoefficientsFile.packaged();

    @Test
    void printedBlocksAndTokensFollowFromThePrintedPool() {
        Planner planner = Planners.of(packaged);
        Set<String> failed = new TreeSet<>();
        Set<String> refused = new TreeSet<>();
        for (Boot boot : boots()) {
            try {
                if (!reproduced(boot, planner)) {
                    failed.add(boot.id());
                }
            } catch (InputException e) {
                refused.add(boot.id());
            }
        }
        assertThat(refused).isSubsetOf(notes.reasons().get(Kind.REFUSED).keySet());
        failed.removeAll(notes.reasons().get(Kind.REFUSED).keySet());
        assertThat(failed)
                .containsExactlyInAnyOrderElementsOf(
                        notes.reasons().get(Kind.PIN).keySet());
    }

    @Test
    void everyPredictionMoreThanATenthOffIsExplained() {
        FitErrors errors = MemoryRefit.judge(FOLDER, packaged);
        List<String> far = errors.beyond(10).stream().map(FitErrors.Miss::id).toList();
        Set<String> explained =
                new TreeSet<>(notes.reasons().get(Kind.ZERO_SHOT).keySet());
        explained.addAll(notes.reasons().get(Kind.REFUSED).keySet());
        assertThat(far).isSubsetOf(explained);
        assertThat(errors.median()).isLessThan(3.2);
        assertThat(errors.coverage()).isBetween(82.0, 97.0);
    }

    private static List<Boot> boots() {
        List<Boot> boots = new ArrayList<>(BootReader.read(FOLDER.resolve("vllm-boots.jsonl")));
        boots.removeIf(boot -> !boot.firstGeneration()
                || boot.availableGib().orElse(0) == 0
                || (boot.tokens().isEmpty() && boot.blocks().isEmpty()));
        assertThat(boots).hasSizeGreaterThan(90);
        return boots;
    }

    private static boolean reproduced(Boot boot, Planner planner) {
        KvPool low = pool(boot, -ROUNDING, planner);
        KvPool high = pool(boot, ROUNDING, planner);
        boolean tokens = boot.tokens().isEmpty() || within(boot.tokens().getAsLong(), low.tokens(), high.tokens());
        boolean blocks = boot.blocks().isEmpty() || within(boot.blocks().getAsLong(), low.blocks(), high.blocks());
        return tokens && blocks;
    }

    private static KvPool pool(Boot boot, double moved, Planner planner) {
        long bytes = (long) ((boot.availableGib().orElseThrow() + moved) * GIB);
        return planner.fit(boot.pinned(bytes)).plan().pool();
    }

    private static boolean within(long value, long low, long high) {
        return low <= value && value <= high;
    }
}
