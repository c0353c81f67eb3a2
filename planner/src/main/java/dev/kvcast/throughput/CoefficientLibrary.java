package dev.kvcast.throughput;

import dev.kvcast.hardware.Accelerator;
import dev.kvcast.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All coefficients at hand: the common fits, and calibrations of single deployments, which win where they apply.
 *
 * @param engines fits, more specific ones first
 */
public record CoefficientLibrary(List<EngineCoefficients> engines) {

    /** Copies the list. */
    public CoefficientLibrary {
        engines = List.copyOf(engines);
    }

    /**
     * The coefficients for a deployment. A calibration of the same card with another model lends its coefficients, but
     * not its small residuals: those were of one run.
     *
     * @param model model id
     * @return empty for an engine without coefficients
     */
    public Optional<Coefficients> find(String engine, Accelerator accelerator, String model) {
        DeviceClass device = DeviceClass.of(accelerator);
        Optional<EngineCoefficients> common = first(engine, fit -> fit.scope().isEmpty());
        Optional<EngineCoefficients> exact = first(
                engine,
                fit -> fit.scope()
                        .filter(scope -> scope.gpu().equals(accelerator.name())
                                && scope.model().equals(model))
                        .isPresent());
        if (exact.isPresent()) {
            return exact.map(fit -> fit.of(device));
        }
        Optional<EngineCoefficients> sameCard = first(
                engine,
                fit -> fit.scope()
                        .filter(scope -> scope.gpu().equals(accelerator.name()))
                        .isPresent());
        if (sameCard.isPresent() && common.isPresent()) {
            Residuals residuals = common.get().residuals();
            return sameCard.map(fit -> fit.withResiduals(engine, residuals).of(device));
        }
        return common.map(fit -> fit.of(device));
    }

    private Optional<EngineCoefficients> first(
            String engine, java.util.function.Predicate<EngineCoefficients> condition) {
        return engines.stream()
                .filter(fit -> fit.engine().equals(engine) && condition.test(fit))
                .findFirst();
    }

    /** This library with calibrations put before it; a common fit among them replaces that engine's. */
    public CoefficientLibrary with(CoefficientLibrary calibrations) {
        List<EngineCoefficients> all = new ArrayList<>(calibrations.engines());
        all.addAll(engines);
        return new CoefficientLibrary(all);
    }

    /**
     * Checks that a calibration can speak about an engine.
     *
     * @param file what to call it
     * @throws InputException when it holds other engines only
     */
    public void requireEngine(String engine, String file) {
        if (engines.stream().noneMatch(fit -> fit.engine().equals(engine))) {
            String held = engines.isEmpty() ? "none" : engines.get(0).engine();
            throw InputException.badInput(file + " calibrates engine " + held + ", not " + engine
                    + "; calibrate on a run of " + engine + ", or leave --calibration out");
        }
    }
}
