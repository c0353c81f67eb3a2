package dev.kvcast.throughput.io;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.kvcast.model.InputException;
import dev.kvcast.model.io.JsonSource;
import dev.kvcast.throughput.CoefficientLibrary;
import dev.kvcast.throughput.EngineCoefficients;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads step-time coefficients: {@code data/calibrations/default.json} and what {@code calibrate} writes. */
public final class CoefficientsFile {

    /** Version of the form. */
    public static final int SCHEMA = 1;

    /** What the file says it holds. */
    public static final String KIND = "step-time";

    /** Correlations are whole numbers of this share. */
    static final double CORRELATION_UNIT = 10_000;

    private static final String RESOURCE = "/data/calibrations/default.json";

    private CoefficientsFile() {}

    /** The packaged fits. */
    public static CoefficientLibrary packaged() {
        try (InputStream in = CoefficientsFile.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the jar");
            }
            return read("default.json", JSON.std.mapFrom(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The fits in a file.
     *
     * @throws InputException for a file that is missing, malformed, or of another kind or schema
     */
    public static CoefficientLibrary read(Path file) {
        return read(file.toString(), JsonSource.read(file));
    }

    /**
     * The fits in a parsed document.
     *
     * @param name what to call it in messages
     * @throws InputException as {@link #read(Path)}
     */
    public static CoefficientLibrary read(String name, Map<String, Object> json) {
        if (!KIND.equals(json.get("kind"))) {
            throw InputException.badInput(name + " holds no step-time coefficients (\"kind\" is " + json.get("kind")
                    + "); give a file that kvcast calibrate or refit wrote");
        }
        if (!(json.get("schema") instanceof Number schema) || schema.intValue() != SCHEMA) {
            throw InputException.badInput(name + " has schema " + json.get("schema") + "; this version reads " + SCHEMA
                    + ", calibrate again with it");
        }
        List<EngineCoefficients> engines = new ArrayList<>();
        for (CoefficientFields fit : new CoefficientFields(name, "", json).objects("calibrations")) {
            engines.add(fit.has("like") ? alike(fit, engines) : EngineCoefficientsReader.read(fit));
        }
        if (engines.isEmpty()) {
            throw InputException.badInput(name + " has no calibrations; calibrate again");
        }
        return new CoefficientLibrary(engines);
    }

    /** The text of a file that holds one fit. */
    public static String text(EngineCoefficients fit) {
        try {
            return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(EngineCoefficientsWriter.document(fit))
                    + System.lineSeparator();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An engine that was measured too little for a fit of its own borrows another's, with wider residuals. */
    private static EngineCoefficients alike(CoefficientFields fit, List<EngineCoefficients> engines) {
        String like = fit.text("like");
        for (EngineCoefficients engine : engines) {
            if (engine.engine().equals(like)) {
                return engine.withResiduals(
                        fit.text("engine"), EngineCoefficientsReader.residuals(fit.object("residual_sd")));
            }
        }
        throw fit.problem("like", "names an engine above it");
    }
}
