package dev.kvcast.validator.results;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts one measurement in the place of several of one cell. */
final class Repeats {

    private Repeats() {}

    /** Of each cell measured more than once the one with the median rate, the lower of two middle ones. */
    static List<MeasuredCell> medians(List<MeasuredCell> cells, List<String> notes) {
        Map<String, List<MeasuredCell>> byLabel = new LinkedHashMap<>();
        for (MeasuredCell cell : cells) {
            byLabel.computeIfAbsent(cell.label(), label -> new ArrayList<>()).add(cell);
        }
        List<MeasuredCell> kept = new ArrayList<>();
        for (List<MeasuredCell> same : byLabel.values()) {
            List<MeasuredCell> valid =
                    new ArrayList<>(same.stream().filter(MeasuredCell::valid).toList());
            valid.sort(Comparator.comparingDouble(
                    cell -> cell.speed().tokensPerSecond().orElse(0)));
            kept.add(valid.isEmpty() ? same.get(0) : valid.get((valid.size() - 1) / 2));
        }
        if (kept.size() < cells.size()) {
            notes.add(cells.size() + " measurements repeat " + kept.size() + " cells; the median of each is kept");
        }
        return kept;
    }
}
