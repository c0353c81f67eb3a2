package dev.kvcast.cli;

import picocli.CommandLine.Model.OptionSpec;

/** The two options that answer by themselves. */
final class StandardOptions {

    private StandardOptions() {}

    static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Print this help and exit.")
                .build();
    }

    static OptionSpec version() {
        return OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print the version and exit.")
                .build();
    }
}
