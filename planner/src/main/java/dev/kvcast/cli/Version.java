package dev.kvcast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The tool's version, as the build wrote it beside this class. */
public final class Version implements IVersionProvider {

    /** Creates a provider that reads the version when it is asked. */
    public Version() {}

    /** The version's number, for example {@code 0.1.0}. */
    public static String number() {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"kvcast " + number()};
    }
}
