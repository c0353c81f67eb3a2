package dev.kvcast.validator.compare;

import dev.kvcast.engine.Scenario;
import dev.kvcast.hardware.AcceleratorCatalog;
import dev.kvcast.model.InputException;
import dev.kvcast.plan.Fit;
import dev.kvcast.plan.ModelSource;
import dev.kvcast.validator.results.MeasuredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a run was measured on the scenario that it is held against.
 *
 * @param problems contradictions, one line each
 * @param notes what the run does not say, or says in words nobody knows, one line each
 */
public record ScenarioMatch(List<String> problems, List<String> notes) {

    /** Copies the lists. */
    public ScenarioMatch {
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
    }

    /**
     * Compares what the run says of itself with a planned scenario.
     *
     * @param models models at hand; no hub is asked about a name in a file
     */
    public static ScenarioMatch of(MeasuredRun run, Fit fit, ModelSource models, AcceleratorCatalog cards) {
        List<String> problems = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        run.model().ifPresent(name -> model(name, fit.scenario(), models, problems, notes));
        run.hardware().gpu().ifPresent(name -> card(name, run, fit.scenario(), cards, problems, notes));
        run.engine()
                .name()
                .filter(name -> !name.equals(fit.plan().engine()))
                .ifPresent(name -> problems.add("was measured on engine " + name + ", the scenario's is "
                        + fit.plan().engine() + "; give the scenario it was measured on"));
        run.engine()
                .version()
                .filter(version ->
                        run.engine().name().orElse("").equals(fit.plan().engine()))
                .filter(version -> !sameVersion(version, fit.plan().version()))
                .ifPresent(
                        version -> problems.add("was measured on " + fit.plan().engine() + " " + version
                                + ", the scenario's is " + fit.plan().version() + "; leave --engine-version out"));
        return new ScenarioMatch(problems, notes);
    }

    private static void model(
            String name, Scenario scenario, ModelSource models, List<String> problems, List<String> notes) {
        String planned = scenario.model().id();
        Optional<String> id = name.equals(planned) ? Optional.of(planned) : known(name, models);
        if (id.isEmpty()) {
            notes.add(
                    "the run names its model '" + name + "', which is not in the catalogue; it is taken as " + planned);
        } else if (!id.get().equals(planned)) {
            problems.add("was measured with model " + id.get() + ", the scenario's is " + planned
                    + "; give the scenario it was measured on");
        }
    }

    private static Optional<String> known(String name, ModelSource models) {
        try {
            return Optional.of(models.find(name, Optional.empty()).model().id());
        } catch (InputException e) {
            // A served name such as "bench", or the file name of some checkpoint.
            return Optional.empty();
        }
    }

    private static void card(
            String name,
            MeasuredRun run,
            Scenario scenario,
            AcceleratorCatalog cards,
            List<String> problems,
            List<String> notes) {
        Optional<AcceleratorCatalog.Selection> selection = known(name, cards);
        String planned = scenario.accelerator().name();
        if (selection.isEmpty()) {
            notes.add(
                    "the run names its card '" + name + "', which is not in the catalogue; it is taken as " + planned);
            return;
        }
        if (!selection.get().accelerator().name().equals(planned)) {
            problems.add("was measured on " + selection.get().accelerator().name() + ", the scenario's card is "
                    + planned + "; give the scenario it was measured on");
        }
        int count = run.hardware().gpuCount().orElse(selection.get().count());
        boolean says = run.hardware().gpuCount().isPresent() || selection.get().count() > 1;
        if (says && count != scenario.accelerators()) {
            problems.add("was measured on " + count + (count == 1 ? " card" : " cards") + ", the scenario has "
                    + scenario.accelerators()
                    + "; give the scenario it was measured on");
        }
    }

    private static Optional<AcceleratorCatalog.Selection> known(String name, AcceleratorCatalog cards) {
        try {
            return Optional.of(cards.select(name));
        } catch (InputException e) {
            return Optional.empty();
        }
    }

    /** A leading v, and what builds add behind a release, make no difference. */
    private static boolean sameVersion(String measured, String planned) {
        return release(measured).equals(release(planned));
    }

    private static String release(String version) {
        int start = version.startsWith("v") ? 1 : 0;
        int end = start;
        while (end < version.length() && (Character.isDigit(version.charAt(end)) || version.charAt(end) == '.')) {
            end++;
        }
        return end == start ? version : version.substring(start, end);
    }
}
