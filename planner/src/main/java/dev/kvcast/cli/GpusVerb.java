package dev.kvcast.cli;

import dev.kvcast.hardware.Accelerator;
import dev.kvcast.hardware.io.AcceleratorTable;
import dev.kvcast.report.Format;
import dev.kvcast.report.GpuTable;
import dev.kvcast.report.JsonOut;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast gpus}: the accelerators that are known, or one of them. */
final class GpusVerb implements Verb {

    private final SharedOptions shared = new SharedOptions();
    private final PositionalParamSpec name = PositionalParamSpec.builder()
            .paramLabel("NAME")
            .arity("0..1")
            .type(String.class)
            .description("Show this card, by any of its names; without it, list all.")
            .build();
    private final CliOption<String> filter =
            CliOption.text("--filter", "WORD", "List only cards whose name, vendor or architecture has this word.");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description("List the accelerators that are known, or show one.")
                .footer("", "Another card: name a similar one and give --gpu-memory-bytes to fit or matrix.");
        spec.addPositional(name).addOption(filter.spec());
        shared.addTo(spec);
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) {
        SharedOptions.Choice choice = shared.in(arguments, invocation.terminal());
        Optional<String> wanted = Optional.ofNullable(arguments.matchedPositionalValue(0, null));
        if (wanted.isPresent()) {
            Accelerator card = AcceleratorTable.packaged().find(wanted.get());
            invocation
                    .terminal()
                    .out()
                    .print(
                            choice.format() == Format.JSON
                                    ? JsonOut.pretty(GpuTable.json(card))
                                    : Tables.render(GpuTable.facts(card), choice));
            return ExitCode.OK;
        }
        String word = filter.in(arguments).orElse("").toLowerCase(Locale.ROOT);
        List<Accelerator> cards = AcceleratorTable.packaged().accelerators().stream()
                .filter(card -> matches(card, word))
                .toList();
        invocation
                .terminal()
                .out()
                .print(
                        choice.format() == Format.JSON
                                ? JsonOut.pretty(GpuTable.json(cards))
                                : Tables.render(GpuTable.list(cards), choice));
        return ExitCode.OK;
    }

    private static boolean matches(Accelerator card, String word) {
        String text = card.name() + " " + card.vendor() + " " + card.architecture();
        return text.toLowerCase(Locale.ROOT).contains(word);
    }
}
