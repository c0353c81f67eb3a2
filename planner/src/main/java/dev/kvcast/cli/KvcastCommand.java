package dev.kvcast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The root command: names the tool and its version; every answer is behind a verb. */
@Command(
        name = "kvcast",
        mixinStandardHelpOptions = true,
        versionProvider = KvcastCommand.Version.class,
        description = "Will this LLM fit, how fast will it be, and was that true?",
        synopsisHeading = "Usage: ",
        customSynopsis = "kvcast VERB [options] [-- ENGINE COMMAND]")
final class KvcastCommand {

    /** Reads the version that the build wrote beside this class. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream in = KvcastCommand.class.getResourceAsStream("version.txt")) {
                String number = in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
                return new String[] {"kvcast " + number};
            }
        }
    }
}
