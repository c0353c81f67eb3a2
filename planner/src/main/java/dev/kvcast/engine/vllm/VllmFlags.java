package dev.kvcast.engine.vllm;

import dev.kvcast.model.InputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every option of {@code vllm serve} 0.32 and those of earlier releases that people still paste. The table was read from
 * {@code engine/arg_utils.py} and {@code entrypoints/launchers/cli_args.py}.
 */
public final class VllmFlags {

    private static final String TABLE = "vllm-flags.csv";

    private final TreeMap<String, VllmFlag> byName = new TreeMap<>();
    private final TreeMap<String, VllmFlag> byAlias = new TreeMap<>();

    private VllmFlags() {}

    /** The table that comes with kvcast. */
    public static VllmFlags standard() {
        return Holder.TABLE;
    }

    /** Read once, when first needed. */
    private static final class Holder {
        static final VllmFlags TABLE = load();
    }

    private static VllmFlags load() {
        VllmFlags flags = new VllmFlags();
        try (InputStream in = Objects.requireNonNull(VllmFlags.class.getResourceAsStream(TABLE), TABLE);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String header = reader.readLine();
            String line = header == null ? null : reader.readLine();
            while (line != null) {
                flags.add(row(line));
                line = reader.readLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return flags;
    }

    private static VllmFlag row(String line) {
        String[] cells = line.split(",", -1);
        List<String> aliases = new ArrayList<>();
        for (String alias : cells[1].split(" ", -1)) {
            if (!alias.isEmpty()) {
                aliases.add(alias);
            }
        }
        return new VllmFlag(
                cells[0],
                aliases,
                VllmFlag.Kind.valueOf(cells[2].toUpperCase(Locale.ROOT)),
                VllmFlag.Effect.valueOf(cells[3].toUpperCase(Locale.ROOT)),
                release(cells[4]),
                release(cells[5]));
    }

    private static Optional<VllmVersion> release(String cell) {
        return cell.isEmpty() ? Optional.empty() : Optional.of(VllmVersion.of(cell));
    }

    private void add(VllmFlag flag) {
        byName.put(flag.name(), flag);
        for (String alias : flag.aliases()) {
            byAlias.put(alias, flag);
        }
    }

    /** Every flag, by name. */
    public List<VllmFlag> all() {
        return List.copyOf(byName.values());
    }

    /** The flag of exactly that name, dashes removed; for names kvcast's own code uses. */
    public VllmFlag named(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    /**
     * The flag a long option means. Underscores count as dashes and an unambiguous beginning is enough, as in Python's
     * argparse.
     *
     * @param name option without its dashes
     * @throws InputException when the beginning fits several flags
     */
    public Optional<VllmFlag> find(String name) {
        String key = name.replace('_', '-');
        VllmFlag exact = byName.getOrDefault(key, byAlias.get(key));
        return exact != null ? Optional.of(exact) : byBeginning(key);
    }

    /** The flag of exactly that name or alias. */
    public Optional<VllmFlag> exactly(String name) {
        String key = name.replace('_', '-');
        return Optional.ofNullable(byName.getOrDefault(key, byAlias.get(key)));
    }

    private Optional<VllmFlag> byBeginning(String key) {
        if (key.length() < 3) {
            return Optional.empty();
        }
        List<VllmFlag> current = new ArrayList<>();
        for (VllmFlag flag : byName.tailMap(key, true).values()) {
            if (!flag.name().startsWith(key)) {
                break;
            }
            if (flag.until().isEmpty()) {
                current.add(flag);
            }
        }
        if (current.size() > 1) {
            StringBuilder candidates = new StringBuilder();
            for (VllmFlag flag : current.subList(0, Math.min(4, current.size()))) {
                candidates.append(candidates.length() == 0 ? "" : ", ").append(flag.dashed());
            }
            throw InputException.badInput(
                    "--" + key + " is ambiguous; expected one of " + candidates + (current.size() > 4 ? ", ..." : ""));
        }
        return current.stream().findFirst();
    }

    /** The known flag that is spelled most like {@code name}, if any is close. */
    public Optional<VllmFlag> closest(String name) {
        String key = name.replace('_', '-');
        VllmFlag best = null;
        int least = Math.max(1, key.length() / 3) + 1;
        for (VllmFlag flag : byName.values()) {
            int distance = EditDistance.between(key, flag.name(), least);
            if (distance < least) {
                least = distance;
                best = flag;
            }
        }
        return Optional.ofNullable(best);
    }
}
