package dev.kvcast.validator.results;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a run measured.
 *
 * @param contexts prompt tokens of the rows, in the tool's order
 * @param concurrencies requests at once of the columns
 * @param prefillContexts prompt lengths of the prefill table
 * @param maxOutputTokens most tokens each request generates
 * @param measureSeconds length of one measurement
 * @param sharing whether the requests of a cell share their prompt
 * @param speculative the speculative decoding method, empty where none is known to have been used
 * @param details whatever else the file says: text, {@code Long}, {@code Double} or {@code Boolean} by name
 */
public record RunSettings(
        List<Long> contexts,
        List<Long> concurrencies,
        List<Long> prefillContexts,
        OptionalLong maxOutputTokens,
        OptionalDouble measureSeconds,
        PromptSharing sharing,
        Optional<String> speculative,
        Map<String, Object> details) {

    /** Copies the collections. */
    public RunSettings {
        contexts = List.copyOf(contexts);
        concurrencies = List.copyOf(concurrencies);
        prefillContexts = List.copyOf(prefillContexts);
        details = MeasuredRun.copy(details);
    }

    /** Settings whose rows and columns are those of the cells. */
    static RunSettings of(List<MeasuredCell> cells, PromptSharing sharing) {
        return of(cells, sharing, OptionalLong.empty(), OptionalDouble.empty(), Optional.empty());
    }

    /** Settings whose rows and columns are those of the cells. */
    static RunSettings of(
            List<MeasuredCell> cells,
            PromptSharing sharing,
            OptionalLong maxOutputTokens,
            OptionalDouble measureSeconds,
            Optional<String> speculative) {
        return new RunSettings(
                cells.stream()
                        .filter(MeasuredCell.Decode.class::isInstance)
                        .map(MeasuredCell::contextTokens)
                        .distinct()
                        .toList(),
                cells.stream()
                        .filter(MeasuredCell.Decode.class::isInstance)
                        .map(cell -> (long) cell.concurrency())
                        .distinct()
                        .toList(),
                cells.stream()
                        .filter(MeasuredCell.Prefill.class::isInstance)
                        .map(MeasuredCell::contextTokens)
                        .distinct()
                        .toList(),
                maxOutputTokens,
                measureSeconds,
                sharing,
                speculative,
                Map.of());
    }
}
